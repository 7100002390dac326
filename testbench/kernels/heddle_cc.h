// SPDX-License-Identifier: Apache-2.0
// CUDA C++ for clang alone, without a CUDA installation. scripts/heddle-cc includes this header before every
// source.
#pragma once

// shim.h, which Heddle's own kernels include, defines nothing if this macro is set.
#define HEDDLE_CC 1

#ifndef __cplusplus
// For host code in C, this header only declares the calls of the CUDA runtime.
#include "include/heddle_cc/runtime_calls.h"
#elif !defined __NVCC__
#pragma clang system_header

#include "include/heddle_cc/language.h"
// Headers that use the types of language.h.
#include "include/heddle_cc/atomics.h"
#include "include/heddle_cc/math.h"
#include "include/heddle_cc/memory.h"
#include "include/heddle_cc/simd.h"
#include "include/heddle_cc/surface_functions.h"
#include "include/heddle_cc/texture_functions.h"
#include "include/heddle_cc/warp.h"

extern "C" {
// malloc() and free() use the device's heap. new and delete of <new> call them.
__device__ void* malloc(__SIZE_TYPE__);
__device__ void free(void*);
__device__ int printf(const char*, ...);
__device__ __attribute__((noreturn)) void __assertfail(const char* condition, const char* file, unsigned line,
                                                       const char* function, __SIZE_TYPE__ character_bytes);
__device__ inline __attribute__((noreturn)) void __assert_fail(const char* condition, const char* file,
                                                               unsigned line, const char* function) {
  __assertfail(condition, file, line, function, sizeof(char));
}
}

// Functions for products and quotients of complex numbers. clang calls them by name.
#include <__clang_cuda_complex_builtins.h>

#if __SIZEOF_POINTER__ == 8
// Headers that nvcc also includes for host code, and the runtime calls that host code uses.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <new>

#include <cmath>
#include <utility>

#include "include/heddle_cc/managed.h"
#include "include/heddle_cc/math_host.h"
#include "include/heddle_cc/runtime_calls.h"
#endif

#endif
