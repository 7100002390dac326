// SPDX-License-Identifier: Apache-2.0
// Warp functions: votes, shuffles, matches and reductions, with masks and widths.
#pragma once

#include "synchronisation.h"

HEDDLE_CC_FUNCTION unsigned __activemask() {
  unsigned mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask)::"memory");
  return mask;
}
HEDDLE_CC_FUNCTION int __all_sync(unsigned mask, int predicate) {
  const heddle_cc::Fenced fenced;
  return __nvvm_vote_all_sync(mask, predicate);
}
HEDDLE_CC_FUNCTION int __any_sync(unsigned mask, int predicate) {
  const heddle_cc::Fenced fenced;
  return __nvvm_vote_any_sync(mask, predicate);
}
HEDDLE_CC_FUNCTION int __uni_sync(unsigned mask, int predicate) {
  const heddle_cc::Fenced fenced;
  return __nvvm_vote_uni_sync(mask, predicate);
}
HEDDLE_CC_FUNCTION unsigned __ballot_sync(unsigned mask, int predicate) {
  const heddle_cc::Fenced fenced;
  return __nvvm_vote_ballot_sync(mask, predicate);
}
// Functions without a mask, of compute capabilities before 7.0, use the active lanes.
HEDDLE_CC_FUNCTION int __all(int predicate) { return __all_sync(__activemask(), predicate); }
HEDDLE_CC_FUNCTION int __any(int predicate) { return __any_sync(__activemask(), predicate); }
HEDDLE_CC_FUNCTION unsigned __ballot(int predicate) { return __ballot_sync(__activemask(), predicate); }

namespace heddle_cc {

/// Returns the last operand of the PTX instruction shfl: a mask that divides the warp into segments, and a segment's
/// last lane.
HEDDLE_CC_FUNCTION int segment(int width, int last) { return (32 - width) << 8 | last; }

HEDDLE_CC_FUNCTION int shuffle_idx(unsigned mask, int v, int lane, int width) {
  return __nvvm_shfl_sync_idx_i32(mask, v, lane, segment(width, 31));
}
HEDDLE_CC_FUNCTION int shuffle_up(unsigned mask, int v, int delta, int width) {
  return __nvvm_shfl_sync_up_i32(mask, v, delta, segment(width, 0));
}
HEDDLE_CC_FUNCTION int shuffle_down(unsigned mask, int v, int delta, int width) {
  return __nvvm_shfl_sync_down_i32(mask, v, delta, segment(width, 31));
}
HEDDLE_CC_FUNCTION int shuffle_xor(unsigned mask, int v, int lanes, int width) {
  return __nvvm_shfl_sync_bfly_i32(mask, v, lanes, segment(width, 31));
}

template <class T, int bytes>
struct Words {
  static_assert(bytes == 4 || bytes == 8 || bytes == 2, "a value of 2, 4 or 8 bytes");
};
template <class T>
struct Words<T, 4> {
  template <class Shuffle>
  HEDDLE_CC_FUNCTION_MEMBER static T apply(T value, Shuffle shuffle) {
    return __builtin_bit_cast(T, shuffle(__builtin_bit_cast(int, value)));
  }
};
template <class T>
struct Words<T, 2> {
  template <class Shuffle>
  HEDDLE_CC_FUNCTION_MEMBER static T apply(T value, Shuffle shuffle) {
    return __builtin_bit_cast(T, (short)shuffle(__builtin_bit_cast(short, value)));
  }
};
template <class T>
struct Words<T, 8> {
  template <class Shuffle>
  HEDDLE_CC_FUNCTION_MEMBER static T apply(T value, Shuffle shuffle) {
    const long long whole = __builtin_bit_cast(long long, value);
    const unsigned low = (unsigned)shuffle((int)whole), high = (unsigned)shuffle((int)(whole >> 32));
    return __builtin_bit_cast(T, (long long)((unsigned long long)high << 32 | low));
  }
};

}  // namespace heddle_cc

// The shuffles are templates, so that a program may define functions for the same types without an error. The compiler
// prefers the program's functions.
#define HEDDLE_CC_SHUFFLE(name, type, how, operand)                                                \
  template <int = 0>                                                                               \
  HEDDLE_CC_FUNCTION type __##name##_sync(unsigned mask, type value, operand by, int width = 32) { \
    const heddle_cc::Fenced fenced;                                                                \
    return heddle_cc::Words<type, sizeof(type)>::apply(                                            \
        value, [=] __device__(int word) { return heddle_cc::how(mask, word, (int)by, width); });   \
  }                                                                                                \
  template <int = 0>                                                                               \
  HEDDLE_CC_FUNCTION type __##name(type value, operand by, int width = 32) {                       \
    return __##name##_sync(__activemask(), value, by, width);                                      \
  }
#define HEDDLE_CC_SHUFFLES(type)                             \
  HEDDLE_CC_SHUFFLE(shfl, type, shuffle_idx, int)            \
  HEDDLE_CC_SHUFFLE(shfl_up, type, shuffle_up, unsigned)     \
  HEDDLE_CC_SHUFFLE(shfl_down, type, shuffle_down, unsigned) \
  HEDDLE_CC_SHUFFLE(shfl_xor, type, shuffle_xor, int)
HEDDLE_CC_SHUFFLES(int)
HEDDLE_CC_SHUFFLES(unsigned)
HEDDLE_CC_SHUFFLES(long)
HEDDLE_CC_SHUFFLES(unsigned long)
HEDDLE_CC_SHUFFLES(long long)
HEDDLE_CC_SHUFFLES(unsigned long long)
HEDDLE_CC_SHUFFLES(float)
HEDDLE_CC_SHUFFLES(double)

#define HEDDLE_CC_MATCH(type, bits, constraint)                                                    \
  HEDDLE_CC_FUNCTION unsigned __match_any_sync(unsigned mask, type value) {                        \
    unsigned result;                                                                               \
    asm volatile("match.any.sync.b" #bits " %0, %1, %2;"                                           \
                 : "=r"(result)                                                                    \
                 : constraint(__builtin_bit_cast(heddle_cc::Word##bits, value)), "r"(mask)         \
                 : "memory");                                                                      \
    return result;                                                                                 \
  }                                                                                                \
  HEDDLE_CC_FUNCTION unsigned __match_all_sync(unsigned mask, type value, int* all) {              \
    unsigned result, same;                                                                         \
    asm volatile("{ .reg .pred p; match.all.sync.b" #bits " %0|p, %2, %3; selp.u32 %1, 1, 0, p; }" \
                 : "=r"(result), "=r"(same)                                                        \
                 : constraint(__builtin_bit_cast(heddle_cc::Word##bits, value)), "r"(mask)         \
                 : "memory");                                                                      \
    *all = (int)same;                                                                              \
    return result;                                                                                 \
  }
namespace heddle_cc {
using Word32 = unsigned;
using Word64 = unsigned long long;
}  // namespace heddle_cc
HEDDLE_CC_MATCH(int, 32, "r")
HEDDLE_CC_MATCH(unsigned, 32, "r")
HEDDLE_CC_MATCH(float, 32, "r")
HEDDLE_CC_MATCH(long long, 64, "l")
HEDDLE_CC_MATCH(unsigned long long, 64, "l")
HEDDLE_CC_MATCH(double, 64, "l")
#if __SIZEOF_LONG__ == 8
HEDDLE_CC_MATCH(long, 64, "l")
HEDDLE_CC_MATCH(unsigned long, 64, "l")
#else
HEDDLE_CC_MATCH(long, 32, "r")
HEDDLE_CC_MATCH(unsigned long, 32, "r")
#endif

#define HEDDLE_CC_REDUCE(name, instruction, type)                             \
  HEDDLE_CC_FUNCTION type __reduce_##name##_sync(unsigned mask, type value) { \
    type result;                                                              \
    asm volatile("redux.sync." instruction " %0, %1, %2;"                     \
                 : "=r"(result)                                               \
                 : "r"(value), "r"(mask)                                      \
                 : "memory");                                                 \
    return result;                                                            \
  }
HEDDLE_CC_REDUCE(add, "add.s32", int)
HEDDLE_CC_REDUCE(add, "add.u32", unsigned)
HEDDLE_CC_REDUCE(min, "min.s32", int)
HEDDLE_CC_REDUCE(min, "min.u32", unsigned)
HEDDLE_CC_REDUCE(max, "max.s32", int)
HEDDLE_CC_REDUCE(max, "max.u32", unsigned)
HEDDLE_CC_REDUCE(and, "and.b32", unsigned)
HEDDLE_CC_REDUCE(or, "or.b32", unsigned)
HEDDLE_CC_REDUCE(xor, "xor.b32", unsigned)
#undef HEDDLE_CC_SHUFFLE
#undef HEDDLE_CC_SHUFFLES
#undef HEDDLE_CC_MATCH
#undef HEDDLE_CC_REDUCE
