#pragma once

// Control bits that the user sets by hand, for microbenchmarks.

#include <string>

#include "models/isa/program.h"

namespace heddle::compiler {

/// Sets one field of one instruction from a text such as "3.stall=4", "3.write=none" or "3.reuse.b=1". Also
/// marks the program (mark_unproven()), so that Heddle does not check whether its control bits keep all
/// dependences. Throws Error for a field, an instruction or a value that does not exist.
void force_bits(isa::Program& program, const std::string& text);

}  // namespace heddle::compiler
