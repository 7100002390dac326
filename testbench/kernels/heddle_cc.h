// What scripts/heddle-cc adds to shim.h for the kernels of users: barriers that loads stay behind,
// printf and assert. Separate, because the lines of shim.h are named in the PTX of Heddle's own kernels.
#pragma once

#include "shim.h"

#ifndef __NVCC__

// clang 14 takes a variable whose address is not taken for one that the intrinsics of barriers and fences cannot change,
// and moves loads of it to before them. What stands around them here may change all memory.
static __device__ __forceinline__ void heddle_cc_all_memory() { asm volatile("" ::: "memory"); }
static __device__ __forceinline__ int heddle_cc_before(int value) {
  heddle_cc_all_memory();
  return value;
}
#define HEDDLE_CC_FENCED(call) (heddle_cc_all_memory(), (call), heddle_cc_all_memory())
#define __syncthreads() HEDDLE_CC_FENCED(__syncthreads())
#define __threadfence_block() HEDDLE_CC_FENCED(__threadfence_block())
#define __threadfence() HEDDLE_CC_FENCED(__threadfence())
#undef __syncwarp
#define __syncwarp(...) HEDDLE_CC_FENCED(__nvvm_bar_warp_sync(0xffffffffu))
#define __syncthreads_count(predicate) heddle_cc_before(__syncthreads_count(heddle_cc_before(predicate)))
#define __syncthreads_and(predicate) heddle_cc_before(__syncthreads_and(heddle_cc_before(predicate)))
#define __syncthreads_or(predicate) heddle_cc_before(__syncthreads_or(heddle_cc_before(predicate)))

extern "C" {
__device__ int printf(const char*, ...);
__device__ __attribute__((noreturn)) void __assertfail(const char* condition, const char* file, unsigned line,
                                                       const char* function, __SIZE_TYPE__ character_bytes);
__device__ inline __attribute__((noreturn)) void __assert_fail(const char* condition, const char* file,
                                                               unsigned line, const char* function) {
  __assertfail(condition, file, line, function, sizeof(char));
}
}

#endif
