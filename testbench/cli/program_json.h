#pragma once

// A compiled program as JSON. It has the instructions as text, with their control bits and the notes of
// compiler passes (models/isa/notes.h).

#include <string>

#include "models/isa/program.h"

namespace heddle::cli {

std::string program_json(const isa::Program& program);

}  // namespace heddle::cli
