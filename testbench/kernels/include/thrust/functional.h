// SPDX-License-Identifier: Apache-2.0
// thrust's function objects (Thrust's documentation, "Function objects").
#pragma once

#include "../../heddle_cc.h"

namespace thrust {

#define HEDDLE_CC_BINARY(name, expression)                                                             \
  template <class T = void>                                                                            \
  struct name {                                                                                        \
    typedef T first_argument_type;                                                                     \
    typedef T second_argument_type;                                                                    \
    __host__ __device__ constexpr auto operator()(const T& a, const T& b) const { return expression; } \
  };                                                                                                   \
  template <>                                                                                          \
  struct name<void> {                                                                                  \
    template <class A, class B>                                                                        \
    __host__ __device__ constexpr auto operator()(const A& a, const B& b) const {                      \
      return expression;                                                                               \
    }                                                                                                  \
  };
HEDDLE_CC_BINARY(plus, a + b)
HEDDLE_CC_BINARY(minus, a - b)
HEDDLE_CC_BINARY(multiplies, a* b)
HEDDLE_CC_BINARY(divides, a / b)
HEDDLE_CC_BINARY(modulus, a % b)
HEDDLE_CC_BINARY(equal_to, a == b)
HEDDLE_CC_BINARY(not_equal_to, a != b)
HEDDLE_CC_BINARY(less, a < b)
HEDDLE_CC_BINARY(less_equal, a <= b)
HEDDLE_CC_BINARY(greater, b < a)
HEDDLE_CC_BINARY(greater_equal, a >= b)
HEDDLE_CC_BINARY(logical_and, a&& b)
HEDDLE_CC_BINARY(logical_or, a || b)
HEDDLE_CC_BINARY(bit_and, a& b)
HEDDLE_CC_BINARY(bit_or, a | b)
HEDDLE_CC_BINARY(bit_xor, a ^ b)
HEDDLE_CC_BINARY(maximum, a < b ? b : a)
HEDDLE_CC_BINARY(minimum, b < a ? b : a)
HEDDLE_CC_BINARY(project1st, a)
HEDDLE_CC_BINARY(project2nd, b)
#undef HEDDLE_CC_BINARY

#define HEDDLE_CC_UNARY(name, expression)                                                  \
  template <class T = void>                                                                \
  struct name {                                                                            \
    typedef T argument_type;                                                               \
    __host__ __device__ constexpr auto operator()(const T& a) const { return expression; } \
  };                                                                                       \
  template <>                                                                              \
  struct name<void> {                                                                      \
    template <class A>                                                                     \
    __host__ __device__ constexpr auto operator()(const A& a) const {                      \
      return expression;                                                                   \
    }                                                                                      \
  };
HEDDLE_CC_UNARY(negate, -a)
HEDDLE_CC_UNARY(square, a* a)
HEDDLE_CC_UNARY(logical_not, !a)
HEDDLE_CC_UNARY(identity, a)
#undef HEDDLE_CC_UNARY

template <class Argument, class Result>
struct unary_function {
  typedef Argument argument_type;
  typedef Result result_type;
};
template <class First, class Second, class Result>
struct binary_function {
  typedef First first_argument_type;
  typedef Second second_argument_type;
  typedef Result result_type;
};

}  // namespace thrust
