// SPDX-License-Identifier: Apache-2.0
// Reductions over a group within a warp.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define HEDDLE_CC_OPERATION(name, expression)                                                    \
  template <class T = void>                                                                      \
  struct name {                                                                                  \
    __device__ __forceinline__ T operator()(const T& a, const T& b) const { return expression; } \
  };                                                                                             \
  template <>                                                                                    \
  struct name<void> {                                                                            \
    template <class T>                                                                           \
    __device__ __forceinline__ T operator()(const T& a, const T& b) const {                      \
      return expression;                                                                         \
    }                                                                                            \
  };
HEDDLE_CC_OPERATION(plus, a + b)
HEDDLE_CC_OPERATION(less, b < a ? b : a)
HEDDLE_CC_OPERATION(greater, a < b ? b : a)
HEDDLE_CC_OPERATION(bit_and, a& b)
HEDDLE_CC_OPERATION(bit_or, a | b)
HEDDLE_CC_OPERATION(bit_xor, a ^ b)
#undef HEDDLE_CC_OPERATION

/// Reduces the values of all threads of the group and returns the same result to each. A tile of 2^n threads
/// takes n exchange steps. In other groups, each step halves the number of values, and rank 0 then broadcasts
/// the result.
template <unsigned size, class Parent, class T, class Operation>
HEDDLE_CC_FUNCTION T reduce(const thread_block_tile<size, Parent>& group, T value, Operation operation) {
#pragma unroll
  for (unsigned lanes = size / 2; lanes > 0; lanes /= 2)
    value = operation(value, group.shfl_xor(value, lanes));
  return value;
}
template <class T, class Operation>
HEDDLE_CC_FUNCTION T reduce(const coalesced_group& group, T value, Operation operation) {
  const unsigned rank = group.thread_rank();
  for (unsigned count = group.size(); count > 1;) {
    const unsigned half = (count + 1) / 2;
    const T other = group.shfl_down(value, half);
    if (rank + half < count) value = operation(value, other);
    count = half;
  }
  return group.shfl(value, 0);
}

}  // namespace cooperative_groups
