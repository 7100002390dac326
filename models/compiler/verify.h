#pragma once

// Checks that a parsed or compiled program is well-formed.

#include <string>

#include "models/isa/program.h"

namespace heddle::compiler {

/// Throws Error (file:line, kernel, instruction) unless the program satisfies all of these conditions:
/// - Operand counts and kinds fit the operation. Registers and predicates are within the declared numbers.
///   After register allocation, a group of registers begins at a multiple of its size.
/// - Branch targets exist and every path ends in exit.
/// - Each reconvergence point is correct by one of the rules of reconvergence.h.
/// - No operand is marked as a last use or as dead while a lane of the warp may still read the register.
/// - Release flags and lists release no register that a lane may still read (check_releases.h).
/// - Control bits keep all dependences (check_control_bits.h). Exception: programs whose control bits the
///   user has set by hand.
/// - Every read from a register level finds the register's current value there (check_levels.h). PTX permits
///   reads of registers that were never written.
void verify_program(const isa::Program& program);

/// Verifies the program after the compiler pass `pass`. Throws InternalError if the pass has produced a
/// fault.
void verify_after_pass(const std::string& pass, const isa::Program& program);

}  // namespace heddle::compiler
