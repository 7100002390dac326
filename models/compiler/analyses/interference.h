#pragma once

// Interference graph for register allocation. It contains the pairs of variables that cannot share a
// register, the pairs of variables that a copy joins, and the cost of spilling each variable.
//
// Two variables interfere if one is written while the other is live in the same thread. Per-thread liveness
// suffices although a warp shares its registers: a write affects only active lanes, so lanes on other paths
// keep their values (liveness.h).

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/variables.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct Copy {
  int variable = 0;
  double weight = 0;  ///< expected number of executions of the copy
};

struct InterferenceGraph {
  /// For each variable: the variables with which it interferes, ascending.
  std::vector<std::vector<int>> neighbours;
  std::vector<std::vector<Copy>> copies;  ///< for each variable: the variables that moves copy to or from it
  /// For each variable: expected number of accesses; each loop level multiplies by 10.
  std::vector<double> cost;
  /// For each variable: true if it is written and then only read by the next instruction, so that spilling
  /// gains nothing.
  std::vector<bool> brief;
};

/// Builds the interference graph of the variables of one register class. `fresh[w]`: every read of word (or
/// predicate) w follows a write under the same guard, so that even a guarded write begins its live range.
InterferenceGraph build_interference(const isa::Program& program, const ControlFlow& flow,
                                     const Variables& variables, RegisterClass cls,
                                     const std::vector<bool>& fresh);

}  // namespace heddle::compiler
