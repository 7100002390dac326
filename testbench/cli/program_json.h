#pragma once

// A compiled program as JSON: its instructions as text, with the notes of compiler passes
// (models/isa/notes.h) and their control bits.

#include <string>

#include "models/isa/program.h"

namespace heddle::cli {

std::string program_json(const isa::Program& program);

}  // namespace heddle::cli
