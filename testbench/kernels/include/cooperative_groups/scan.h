// SPDX-License-Identifier: Apache-2.0
// Prefix sums (of any operation) over a group within a warp, in the order of ranks.
#pragma once

#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Operation>
HEDDLE_CC_FUNCTION T inclusive_scan(const Group& group, T value, Operation operation) {
  const unsigned rank = group.thread_rank();
  for (unsigned delta = 1; delta < group.size(); delta *= 2) {
    const T other = group.shfl_up(value, delta);
    if (rank >= delta) value = operation(other, value);
  }
  return value;
}
template <class Group, class T>
HEDDLE_CC_FUNCTION T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
/// Returns the combination of the values of all threads before this thread; T() in the first thread.
template <class Group, class T, class Operation>
HEDDLE_CC_FUNCTION T exclusive_scan(const Group& group, T value, Operation operation) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
HEDDLE_CC_FUNCTION T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
