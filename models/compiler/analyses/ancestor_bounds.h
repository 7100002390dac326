#pragma once

// How many nodes of a graph lead to a node: upper bounds in about linear time.

#include <cstddef>
#include <vector>

namespace heddle::compiler {

/// `predecessors`: of each node. For each node of `ends` a number that is not less than that of the nodes from which
/// it is reached, itself included; exact where paths split and meet as in structured programs without loops.
std::vector<std::size_t> bound_ancestors(const std::vector<std::vector<int>>& predecessors,
                                         const std::vector<int>& ends);

}  // namespace heddle::compiler
