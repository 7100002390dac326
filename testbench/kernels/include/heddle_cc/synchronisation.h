// SPDX-License-Identifier: Apache-2.0
// Barriers, fences, clocks, traps and address spaces.
//
// clang 14 assumes that barriers and fences cannot change a variable whose address is not taken, and moves
// loads of this variable before them. To clang, all_memory() may change every variable. It surrounds each
// barrier, fence, vote, shuffle and atomic.
#pragma once

#include "base.h"

#if __SIZEOF_POINTER__ == 8
#define HEDDLE_CC_ADDRESS "l"
#else
#define HEDDLE_CC_ADDRESS "r"
#endif

namespace heddle_cc {
HEDDLE_CC_FUNCTION void all_memory() { asm volatile("" ::: "memory"); }

/// The compiler moves no loads or stores across the construction or the destruction of an object of this class.
struct Fenced {
  HEDDLE_CC_FUNCTION_MEMBER Fenced() { all_memory(); }
  HEDDLE_CC_FUNCTION_MEMBER ~Fenced() { all_memory(); }
};

HEDDLE_CC_FUNCTION void cta_barrier() {
  all_memory();
  __syncthreads();
  all_memory();
}
}  // namespace heddle_cc

#define __syncthreads() heddle_cc::cta_barrier()

HEDDLE_CC_FUNCTION int __syncthreads_count(int predicate) {
  const heddle_cc::Fenced fenced;
  return __nvvm_bar0_popc(predicate);
}
HEDDLE_CC_FUNCTION int __syncthreads_and(int predicate) {
  const heddle_cc::Fenced fenced;
  return __nvvm_bar0_and(predicate);
}
HEDDLE_CC_FUNCTION int __syncthreads_or(int predicate) {
  const heddle_cc::Fenced fenced;
  return __nvvm_bar0_or(predicate);
}
HEDDLE_CC_FUNCTION void __barrier_sync(unsigned id) { asm volatile("barrier.sync %0;" ::"r"(id) : "memory"); }
HEDDLE_CC_FUNCTION void __barrier_sync_count(unsigned id, unsigned threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
HEDDLE_CC_FUNCTION void __syncwarp(unsigned mask = 0xffffffffu) {
  asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
HEDDLE_CC_FUNCTION void __threadfence_block() {
  const heddle_cc::Fenced fenced;
  __nvvm_membar_cta();
}
HEDDLE_CC_FUNCTION void __threadfence() {
  const heddle_cc::Fenced fenced;
  __nvvm_membar_gl();
}
HEDDLE_CC_FUNCTION void __threadfence_system() {
  const heddle_cc::Fenced fenced;
  __nvvm_membar_sys();
}

#if __SIZEOF_LONG__ == 8
using heddle_cc_clock = long;  // as the C library's clock_t
#else
using heddle_cc_clock = int;
#endif
HEDDLE_CC_FUNCTION heddle_cc_clock clock() {
  unsigned value;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
  return (heddle_cc_clock)(int)value;
}
HEDDLE_CC_FUNCTION long long clock64() {
  long long value;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(value)::"memory");
  return value;
}
HEDDLE_CC_FUNCTION unsigned long long __globaltimer() {
  unsigned long long value;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value)::"memory");
  return value;
}
HEDDLE_CC_FUNCTION void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns) : "memory"); }
HEDDLE_CC_FUNCTION void __trap() { asm volatile("trap;"); }
HEDDLE_CC_FUNCTION void __brkpt() { asm volatile("brkpt;"); }
#define __prof_trigger(counter) asm volatile("pmevent %0;" ::"n"(counter))
#define __builtin_nv_assume __builtin_assume
#define __assume(condition) __builtin_assume(condition)

#define HEDDLE_CC_SPACE(name, space)                                        \
  HEDDLE_CC_FUNCTION unsigned name(const void* p) {                         \
    unsigned result;                                                        \
    asm("{ .reg .pred p; isspacep." space " p, %1; selp.u32 %0, 1, 0, p; }" \
        : "=r"(result)                                                      \
        : HEDDLE_CC_ADDRESS(p));                                            \
    return result;                                                          \
  }
HEDDLE_CC_SPACE(__isGlobal, "global")
HEDDLE_CC_SPACE(__isShared, "shared")
HEDDLE_CC_SPACE(__isLocal, "local")
HEDDLE_CC_SPACE(__isConstant, "const")
#undef HEDDLE_CC_SPACE
HEDDLE_CC_FUNCTION unsigned __isGridConstant(const void*) { return 0; }

#define HEDDLE_CC_CONVERTS(space, number)                                 \
  HEDDLE_CC_FUNCTION size_t __cvta_generic_to_##space(const void* p) {    \
    return (size_t)(__attribute__((address_space(number))) const void*)p; \
  }                                                                       \
  HEDDLE_CC_FUNCTION void* __cvta_##space##_to_generic(size_t p) {        \
    return (void*)(__attribute__((address_space(number))) void*)p;        \
  }
HEDDLE_CC_CONVERTS(global, 1)
HEDDLE_CC_CONVERTS(shared, 3)
HEDDLE_CC_CONVERTS(constant, 4)
HEDDLE_CC_CONVERTS(local, 5)
#undef HEDDLE_CC_CONVERTS
