#pragma once

// Checks the notes of the pass register-intervals.
//
// Note "register-interval" of an interval: words {number, four words of its registers}. Note "interval-live" of an
// instruction at which a warp may enter an interval: four words of the registers that some lane of the warp still
// reads. Note "interval-budget" of the program: most registers of an interval.

#include <cstddef>
#include <optional>
#include <string>

#include "models/isa/program.h"

namespace heddle::compiler {

struct IntervalFault {
  std::size_t instruction = 0;
  std::string what;
};

/// Returns a violation of the rules, or nothing. The rules are: every issued instruction is in an interval that holds
/// its registers, has at most as many registers as the budget, and is entered at one instruction only. The live
/// registers of a note include those that a lane still reads.
std::optional<IntervalFault> find_interval_fault(const isa::Program& program);

}  // namespace heddle::compiler
