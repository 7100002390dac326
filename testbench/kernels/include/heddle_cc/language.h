// Qualifiers, vector types and built-in variables of CUDA C++ (CUDA C++ Programming Guide, "C++ Language Extensions").
#pragma once

#include <stddef.h>

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
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

// What host and device can both make: types, and functions of them.
#define HEDDLE_CC_BOTH static __host__ __device__ __forceinline__

#define HEDDLE_CC_VECTORS(name, type, two, four)                                      \
  struct name##1 {                                                                    \
    type x;                                                                           \
  };                                                                                  \
  struct __align__(two) name##2 {                                                     \
    type x, y;                                                                        \
  };                                                                                  \
  struct name##3 {                                                                    \
    type x, y, z;                                                                     \
  };                                                                                  \
  struct __align__(four) name##4 {                                                    \
    type x, y, z, w;                                                                  \
  };                                                                                  \
  HEDDLE_CC_BOTH name##1 make_##name##1(type x) { return {x}; }                       \
  HEDDLE_CC_BOTH name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  HEDDLE_CC_BOTH name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  HEDDLE_CC_BOTH name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

HEDDLE_CC_VECTORS(char, signed char, 2, 4)
HEDDLE_CC_VECTORS(uchar, unsigned char, 2, 4)
HEDDLE_CC_VECTORS(short, short, 4, 8)
HEDDLE_CC_VECTORS(ushort, unsigned short, 4, 8)
HEDDLE_CC_VECTORS(int, int, 8, 16)
HEDDLE_CC_VECTORS(uint, unsigned, 8, 16)
HEDDLE_CC_VECTORS(long, long, 2 * sizeof(long), 16)
HEDDLE_CC_VECTORS(ulong, unsigned long, 2 * sizeof(long), 16)
HEDDLE_CC_VECTORS(longlong, long long, 16, 16)
HEDDLE_CC_VECTORS(ulonglong, unsigned long long, 16, 16)
HEDDLE_CC_VECTORS(float, float, 8, 16)
HEDDLE_CC_VECTORS(double, double, 16, 16)
#undef HEDDLE_CC_VECTORS

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1)
      : x(x_), y(y_), z(z_) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};

#define HEDDLE_CC_CONVERTS(variable)                                                               \
  __device__ inline __cuda_builtin_##variable##_t::operator dim3() const { return dim3(x, y, z); } \
  __device__ inline __cuda_builtin_##variable##_t::operator uint3() const { return make_uint3(x, y, z); }
HEDDLE_CC_CONVERTS(threadIdx)
HEDDLE_CC_CONVERTS(blockIdx)
HEDDLE_CC_CONVERTS(blockDim)
HEDDLE_CC_CONVERTS(gridDim)
#undef HEDDLE_CC_CONVERTS
