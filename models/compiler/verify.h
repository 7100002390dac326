#pragma once

// Checks the form of a program, as parsed or as compiled.

#include <string>

#include "models/isa/program.h"

namespace heddle::compiler {

/// Throws Error (file:line, kernel, instruction) unless
///  - operand counts and kinds fit the operation, registers and predicates are within the program's numbers,
///    and in architected programs pairs are even;
///  - branch targets exist and every path ends in exit;
///  - a reconvergence point, where given, is one of the branch's (reconvergence.h, either rule);
///  - no operand is marked as a last use or as dead while a lane of the warp, on whatever path, may still
///    read the register (per-warp liveness);
///  - release flags and lists release nothing that a lane may still read (check_releases.h);
///  - every read finds the register's current value at the level that it names (check_levels.h).
/// Reading a register that was never written is legal in PTX and passes.
void verify_program(const isa::Program& program);

/// The same after a pass: what it finds is the pass's fault, an InternalError.
void verify_after_pass(const std::string& pass, const isa::Program& program);

}  // namespace heddle::compiler
