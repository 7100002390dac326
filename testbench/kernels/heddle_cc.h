// What scripts/heddle-cc includes before every source: CUDA C++ for clang alone, without a CUDA installation.
#pragma once

// shim.h, which Heddle's own kernels include, steps back where this is there.
#define HEDDLE_CC 1

#ifndef __NVCC__
#pragma clang system_header

#include "include/heddle_cc/language.h"
// Then what needs the types.
#include "include/heddle_cc/atomics.h"
#include "include/heddle_cc/memory.h"
#include "include/heddle_cc/math.h"
#include "include/heddle_cc/simd.h"
#include "include/heddle_cc/warp.h"

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
