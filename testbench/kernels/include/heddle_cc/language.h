// SPDX-License-Identifier: Apache-2.0
// Qualifiers, vector types and built-in variables of CUDA C++ (CUDA C++ Programming Guide, "C++ Language Extensions").
#pragma once

#include <stddef.h>

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device))
#else
#define __managed__ __attribute__((device, section("heddle_managed")))  // managed.h
#endif
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __inline_hint__ inline
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __nv_pure__ __attribute__((pure))
#define __nv_is_extended_device_lambda_closure_type(type) false
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define CUDA_VERSION 12000
#define CUDART_VERSION 12000
#define __CUDART_API_VERSION 12000

#include <__clang_cuda_builtin_vars.h>

using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;

#include "vectors.h"

#define HEDDLE_CC_CONVERTS(variable)                                                               \
  __device__ inline __cuda_builtin_##variable##_t::operator dim3() const { return dim3(x, y, z); } \
  __device__ inline __cuda_builtin_##variable##_t::operator uint3() const { return make_uint3(x, y, z); }
HEDDLE_CC_CONVERTS(threadIdx)
HEDDLE_CC_CONVERTS(blockIdx)
HEDDLE_CC_CONVERTS(blockDim)
HEDDLE_CC_CONVERTS(gridDim)
#undef HEDDLE_CC_CONVERTS
