#pragma once

// Immediate dominators of any small graph (Lengauer and Tarjan's algorithm, by Boost.Graph).

#include <utility>
#include <vector>

namespace heddle::compiler {

/// `edges` among nodes 0 .. nodes - 1. The result holds -1 for `root` and for nodes that it does not reach.
std::vector<int> immediate_dominators(int nodes, const std::vector<std::pair<int, int>>& edges, int root);

}  // namespace heddle::compiler
