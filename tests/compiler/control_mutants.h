#pragma once

// Programs in which one control bit is wrong.

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

/// Returns all changes that make one control bit wrong: a stall is one cycle shorter, a wait mask lacks a
/// counter, a reuse bit is set or cleared, or the number of a write counter or read counter is one higher.
/// The program must have Program::latencies.
std::vector<ControlMutant> control_mutants(const isa::Program& program);

}  // namespace heddle::compiler::test
