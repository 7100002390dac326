#pragma once

// Interference graph for register allocation: variables that cannot share a register, variables that are
// joined by copies, and the cost of spilling each variable.
//
// Variables interfere if one is written while the other is live per thread. This suffices for SIMT execution,
// because writes affect only active lanes and lanes on other paths keep their words (liveness.h).

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
  std::vector<std::vector<Copy>> copies;     ///< variables joined by moves
  std::vector<double> cost;                  ///< expected accesses; each loop level multiplies by 10
  std::vector<bool> brief;  ///< written and read by the next instruction, so spilling gains nothing
};

/// `fresh[w]`: every read of word (or predicate) w follows a write under the same guard, so that even a
/// guarded write begins its live range.
InterferenceGraph build_interference(const isa::Program& program, const ControlFlow& flow,
                                     const Variables& variables, RegisterClass cls,
                                     const std::vector<bool>& fresh);

}  // namespace heddle::compiler
