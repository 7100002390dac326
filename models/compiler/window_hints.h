#pragma once

// Checks the notes of the pass window-hints.
//
// The pass attaches two kinds of notes:
// - "window" of an interval that contains the whole program: the two parameters of the window, {instructions,
//   extends}
// - "window-hint" of a result: the warp reads the register only within the window. When the register has left
//   the window, no lane reads it any more.
//
// An operand window need not write a result with this hint to the register stages below the window.

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

/// Returns a wrong hint, or nothing if all hints are right. A hint is wrong if, on some path of the warp, the
/// register leaves the window although a lane may still read it.
std::optional<WindowFault> find_window_fault(const isa::Program& program);

}  // namespace heddle::compiler
