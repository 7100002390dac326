#pragma once

// Computes upper bounds for the number of ancestors of given nodes of a graph, in about linear time.

#include <cstddef>
#include <vector>

namespace heddle::compiler {

/// Returns, for each node of `ends`, an upper bound for the number of nodes from which a path leads to this
/// node. The node itself is counted. The bound is exact in graphs of structured programs without loops.
std::vector<std::size_t> bound_ancestors(const std::vector<std::vector<int>>& predecessors,
                                         const std::vector<int>& ends);

}  // namespace heddle::compiler
