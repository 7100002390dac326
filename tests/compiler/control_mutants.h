#pragma once

// Makes programs in which one control bit is wrong.

#include <cstddef>
#include <string>
#include <vector>

#include "models/isa/program.h"

namespace heddle::compiler::test {

struct ControlMutant {
  std::string kind;  ///< "stall", "mask", "reuse set", "reuse cleared", "write counter" or "read counter"
  std::size_t instruction = 0;
  isa::Instruction changed;  ///< replaces the instruction
};

/// Returns all changes that make one control bit wrong: a shorter stall (by one cycle), a counter missing in
/// a wait mask, a reuse bit set or cleared, or the next higher number for a write counter or read counter.
/// The program must have Program::latencies.
std::vector<ControlMutant> control_mutants(const isa::Program& program);

}  // namespace heddle::compiler::test
