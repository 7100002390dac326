#pragma once

// Checks the notes of the pass window-hints.
//
// Note "window" of an interval that holds the whole program: words {instructions, extends}, the window's parameters.
// Note "window-hint" of a result: the warp reads the register only within the window, until no lane reads it any
// more. An operand window need not write the result to the stages below.

#include <cstddef>
#include <optional>
#include <string>

#include "models/isa/program.h"

namespace heddle::compiler {

struct WindowFault {
  std::size_t instruction = 0;
  std::string what;
};

/// Returns true if the instruction takes an operand collector and therefore counts in the window.
bool counts_in_window(const isa::Instruction& i);

/// Returns a wrong hint: on some path of the warp's order, a register leaves the window while a lane may still read
/// it. Returns nothing if all hints are right.
std::optional<WindowFault> find_window_fault(const isa::Program& program);

}  // namespace heddle::compiler
