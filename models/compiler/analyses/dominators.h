#pragma once

// Computes the immediate dominators of the nodes of a graph, with the algorithm of Lengauer and Tarjan in
// Boost.Graph.

#include <utility>
#include <vector>

namespace heddle::compiler {

/// Returns the immediate dominator of each node; -1 for `root` and for nodes that cannot be reached. `edges`:
/// pairs of source and target node.
std::vector<int> immediate_dominators(int nodes, const std::vector<std::pair<int, int>>& edges, int root);

}  // namespace heddle::compiler
