#pragma once

// Checks the notes (64-bit words that a pass attaches to parts of a program) of the pass window-hints.
//
// The pass attaches two kinds of notes:
// - "window" of an interval that contains the whole program: the window's length in instructions, and 1 if
//   reads also keep a register in the window (0: only writes do)
// - "window-hint" of a result: the warp reads the result only while its register is in the operand window.
//   When this register has left the window, no lane reads the result any more.
//
// The hardware of an operand window need not write a result with this hint to the register stages below the
// window.

#include <cstddef>
#include <optional>
#include <string>

#include "models/isa/program.h"

namespace heddle::compiler {

struct WindowFault {
  std::size_t instruction = 0;
  std::string what;
};

/// Returns true if the instruction takes an operand collector. The operand window then counts the instruction
/// among the warp's last instructions.
bool counts_in_window(const isa::Instruction& i);

/// Returns a wrong hint, or nothing if all hints are right. A hint at a result says that the warp reads this
/// result only while its register is in the operand window. The hint is wrong if, on some path of the warp, a
/// lane may still read the result after the register has left the window.
std::optional<WindowFault> find_window_fault(const isa::Program& program);

}  // namespace heddle::compiler
