// SPDX-License-Identifier: Apache-2.0
// Vector types of CUDA C++ and their functions (CUDA C++ Programming Guide, "Built-in Vector Types"), also
// for C.
#pragma once

#include <stddef.h>

#define HEDDLE_CC_ALIGNED(bytes) __attribute__((aligned(bytes)))
#ifdef __cplusplus
// For functions of both host and device.
#define HEDDLE_CC_BOTH static __host__ __device__ __forceinline__
#else
#define HEDDLE_CC_BOTH static inline
#endif

#define HEDDLE_CC_VECTORS(name, type, two, four)                          \
  typedef struct name##1 {                                                \
    type x;                                                               \
  }                                                                       \
  name##1;                                                                \
  typedef struct HEDDLE_CC_ALIGNED(two) name##2 {                         \
    type x, y;                                                            \
  }                                                                       \
  name##2;                                                                \
  typedef struct name##3 {                                                \
    type x, y, z;                                                         \
  }                                                                       \
  name##3;                                                                \
  typedef struct HEDDLE_CC_ALIGNED(four) name##4 {                        \
    type x, y, z, w;                                                      \
  }                                                                       \
  name##4;                                                                \
  HEDDLE_CC_BOTH name##1 make_##name##1(type x) {                         \
    const name##1 made = {x};                                             \
    return made;                                                          \
  }                                                                       \
  HEDDLE_CC_BOTH name##2 make_##name##2(type x, type y) {                 \
    const name##2 made = {x, y};                                          \
    return made;                                                          \
  }                                                                       \
  HEDDLE_CC_BOTH name##3 make_##name##3(type x, type y, type z) {         \
    const name##3 made = {x, y, z};                                       \
    return made;                                                          \
  }                                                                       \
  HEDDLE_CC_BOTH name##4 make_##name##4(type x, type y, type z, type w) { \
    const name##4 made = {x, y, z, w};                                    \
    return made;                                                          \
  }

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
#undef HEDDLE_CC_ALIGNED

#ifdef __cplusplus
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1)
      : x(x_), y(y_), z(z_) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
#else
typedef uint3 dim3;
#endif
