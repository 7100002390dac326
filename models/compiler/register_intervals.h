#pragma once

// Checks the notes (64-bit words that a pass attaches to parts of a program) of the pass register-intervals.
// An interval is a part of the program with one entry point and a limited number of registers.
//
// The pass attaches three kinds of notes:
// - "register-interval" of an interval: the interval's number, then four words with the set of its registers
// - "interval-live" of an instruction at which a warp may enter an interval: four words with the set of
//   registers that some lane of the warp still reads
// - "interval-budget" of the program: the largest permitted number of registers of an interval

#include <cstddef>
#include <optional>
#include <string>

#include "models/isa/program.h"

namespace heddle::compiler {

struct IntervalFault {
  std::size_t instruction = 0;
  std::string what;
};

/// Returns the first violation of the rules, or nothing. Rules: every issued instruction is in an interval
/// that contains all registers of the instruction. The number of registers of an interval does not exceed the
/// budget. A warp enters an interval at only one instruction. A note "interval-live" contains at least the
/// registers that a lane still reads.
std::optional<IntervalFault> find_interval_fault(const isa::Program& program);

}  // namespace heddle::compiler
