#pragma once

// Interference graph for register allocation: pairs of variables that cannot share a register, pairs of
// variables that a copy joins, and the spill cost of each variable.
//
// Two variables interfere if one variable is written while the other variable is live in the same thread.
// Liveness per thread suffices, because a write changes only active lanes.

#include <cstdint>
#include <vector>

#include "models/compiler/analyses/control_flow.h"
#include "models/compiler/analyses/variables.h"
#include "models/isa/program.h"

namespace heddle::compiler {

struct Copy {
  int variable = 0;
  double weight = 0;
};

struct InterferenceGraph {
  std::vector<std::vector<int>> neighbours;
  std::vector<std::vector<Copy>> copies;
  std::vector<double> cost;
  /// For each variable: true if only the next instruction after each write reads the variable. Spilling such
  /// a variable saves no register.
  std::vector<bool> brief;
};

/// Builds the graph for one register class. `fresh[w]`: true if every read of word (or predicate) w follows a
/// write under the same guard. A guarded write of w then begins the live range of w.
InterferenceGraph build_interference(const isa::Program& program, const ControlFlow& flow,
                                     const Variables& variables, RegisterClass cls,
                                     const std::vector<bool>& fresh);

}  // namespace heddle::compiler
