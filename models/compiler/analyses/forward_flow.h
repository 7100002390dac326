#pragma once

// Forward data-flow analysis along the order in which a warp executes blocks (warp_flow.h).

#include <vector>

#include "models/compiler/analyses/warp_flow.h"

namespace heddle::compiler {

/// Returns the state at the start of each node. walk(block, state) must change `state` from the state at the
/// start of the block to the state at its end. State::join(const State&) merges the state of another path
/// into the state, and returns true if the state has grown. As join() only lets states grow, the search ends
/// even if walk() is not monotone.
template <class State, class Walk>
std::vector<State> solve_forward(const WarpFlow& warp, const State& begin, Walk walk) {
  std::vector<State> in(static_cast<std::size_t>(warp.size()), begin);
  std::vector<bool> reached(in.size());
  reached[0] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (const int node : warp.order()) {
      const auto n = static_cast<std::size_t>(node);
      if (!reached[n]) continue;
      State state = in[n];
      if (warp.is_block(node)) walk(node, state);
      for (const int successor : warp.successors(node)) {
        const auto s = static_cast<std::size_t>(successor);
        changed = in[s].join(state) || !reached[s] || changed;
        reached[s] = true;
      }
    }
  }
  return in;
}

}  // namespace heddle::compiler
