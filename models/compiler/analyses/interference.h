#pragma once

// Input of register allocation: variables that may not share a register, variables that are joined by copies,
// and the cost of keeping a variable in memory.
//
// Variables interfere if one is written while the other is live per thread. That suffices under SIMT as well:
// writes touch the active lanes alone, so a lane that waits on another path keeps its own words (liveness.h).

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/variables.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct Copy {
  int variable = 0;
  double weight = 0;  ///< expected executions
};

struct InterferenceGraph {
  std::vector<std::vector<int>> neighbours;  ///< ascending
  std::vector<std::vector<Copy>> copies;     ///< partners of moves
  std::vector<double> cost;                  ///< expected accesses, 10 for 1 a level of loop
  std::vector<bool> brief;  ///< written and then read by the next instruction: nothing to gain
};

/// `fresh[w]`: every read of word (or predicate) w follows a write under the same guard, so even a guarded
/// write begins its life.
InterferenceGraph build_interference(const isa::Program& program, const ControlFlow& flow,
                                     const Variables& variables, RegisterClass cls,
                                     const std::vector<bool>& fresh);

}  // namespace heddle::compiler
