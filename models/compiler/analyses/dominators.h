#pragma once

// Immediate dominators of a graph (algorithm of Lengauer and Tarjan, by Boost.Graph).

#include <utility>
#include <vector>

namespace heddle::compiler {

/// `edges` between the nodes 0 to nodes - 1. The result is -1 for `root` and for unreachable nodes.
std::vector<int> immediate_dominators(int nodes, const std::vector<std::pair<int, int>>& edges, int root);

}  // namespace heddle::compiler
