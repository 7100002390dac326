#pragma once

// For given nodes of a graph, computes upper bounds for the number of ancestors, in about linear time.

#include <cstddef>
#include <vector>

namespace heddle::compiler {

/// Returns an upper bound of the number of nodes that lead to each node of `ends`, including the node. The
/// bound is exact in graphs of structured programs without loops.
std::vector<std::size_t> bound_ancestors(const std::vector<std::vector<int>>& predecessors,
                                         const std::vector<int>& ends);

}  // namespace heddle::compiler
