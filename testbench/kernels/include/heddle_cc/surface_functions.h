// SPDX-License-Identifier: Apache-2.0
// Surface functions of objects and references (CUDA C++ Programming Guide, "Surface Functions"). x is in
// bytes. The compiler moves no loads or stores across them.
#pragma once

#include "base.h"
#include "texture_functions.h"

namespace heddle_cc {

// Registers that a PTX surface instruction reads or writes for a texel of `bytes` bytes.
template <int bytes>
struct SurfaceWord;
template <>
struct SurfaceWord<1> {
  unsigned short x;
};
template <>
struct SurfaceWord<2> {
  unsigned short x;
};
template <>
struct SurfaceWord<4> {
  unsigned x;
};
template <>
struct SurfaceWord<8> {
  unsigned x, y;
};
template <>
struct SurfaceWord<16> {
  unsigned x, y, z, w;
};

#define HEDDLE_CC_AT [s] "l"(s), [x] "r"(x), [y] "r"(y), [z] "r"(z)
#define HEDDLE_CC_READ(space, at, width, mode, items, ...)                      \
  asm volatile("suld.b." space "." width "." mode " " items ", [%[s], " at "];" \
               : __VA_ARGS__:HEDDLE_CC_AT                                       \
               : "memory")
#define HEDDLE_CC_WRITE(space, at, width, mode, items, ...)                     \
  asm volatile("sust.b." space "." width "." mode " [%[s], " at "], " items ";" \
               :                                                                \
               : HEDDLE_CC_AT, __VA_ARGS__                                      \
               : "memory")
// `mode` decides what an access outside of the surface does. Zero: a read returns 0, and a write is dropped. Clamp: the
// edge texel is accessed. Trap: the kernel traps.
#define HEDDLE_CC_BY_MODE(access, space, at, width, items, ...) \
  if (mode == cudaBoundaryModeZero)                             \
    access(space, at, width, "zero", items, __VA_ARGS__);       \
  else if (mode == cudaBoundaryModeClamp)                       \
    access(space, at, width, "clamp", items, __VA_ARGS__);      \
  else                                                          \
    access(space, at, width, "trap", items, __VA_ARGS__);
#define HEDDLE_CC_LIST(...) __VA_ARGS__
#define HEDDLE_CC_WORD(geometry, space, at, bytes, width, items, results, values)                            \
  HEDDLE_CC_FUNCTION void read_##geometry(SurfaceWord<bytes>& v, cudaSurfaceObject_t s, int x, int y, int z, \
                                          cudaSurfaceBoundaryMode mode){HEDDLE_CC_BY_MODE(                   \
      HEDDLE_CC_READ, space, at, width, items,                                                               \
      results)} HEDDLE_CC_FUNCTION void write_##geometry(SurfaceWord<bytes> v, cudaSurfaceObject_t s, int x, \
                                                         int y, int z, cudaSurfaceBoundaryMode mode) {       \
    HEDDLE_CC_BY_MODE(HEDDLE_CC_WRITE, space, at, width, items, values)                                      \
  }
#define HEDDLE_CC_WORDS(geometry, space, at)                                                               \
  HEDDLE_CC_WORD(geometry, space, at, 1, "b8", "{%[a]}", HEDDLE_CC_LIST([a] "=h"(v.x)),                    \
                 HEDDLE_CC_LIST([a] "h"(v.x)))                                                             \
  HEDDLE_CC_WORD(geometry, space, at, 2, "b16", "{%[a]}", HEDDLE_CC_LIST([a] "=h"(v.x)),                   \
                 HEDDLE_CC_LIST([a] "h"(v.x)))                                                             \
  HEDDLE_CC_WORD(geometry, space, at, 4, "b32", "{%[a]}", HEDDLE_CC_LIST([a] "=r"(v.x)),                   \
                 HEDDLE_CC_LIST([a] "r"(v.x)))                                                             \
  HEDDLE_CC_WORD(geometry, space, at, 8, "v2.b32", "{%[a], %[b]}",                                         \
                 HEDDLE_CC_LIST([a] "=r"(v.x), [b] "=r"(v.y)), HEDDLE_CC_LIST([a] "r"(v.x), [b] "r"(v.y))) \
  HEDDLE_CC_WORD(geometry, space, at, 16, "v4.b32", "{%[a], %[b], %[c], %[d]}",                            \
                 HEDDLE_CC_LIST([a] "=r"(v.x), [b] "=r"(v.y), [c] "=r"(v.z), [d] "=r"(v.w)),               \
                 HEDDLE_CC_LIST([a] "r"(v.x), [b] "r"(v.y), [c] "r"(v.z), [d] "r"(v.w)))
// z is the third coordinate, or the layer of an array. For cubes, the layer number includes the face.
HEDDLE_CC_WORDS(1d, "1d", "{%[x]}")
HEDDLE_CC_WORDS(2d, "2d", "{%[x], %[y]}")
HEDDLE_CC_WORDS(3d, "3d", "{%[x], %[y], %[z], %[z]}")
HEDDLE_CC_WORDS(a1d, "a1d", "{%[z], %[x]}")
HEDDLE_CC_WORDS(a2d, "a2d", "{%[z], %[x], %[y], %[y]}")
#undef HEDDLE_CC_WORDS
#undef HEDDLE_CC_WORD
#undef HEDDLE_CC_BY_MODE
#undef HEDDLE_CC_WRITE
#undef HEDDLE_CC_READ
#undef HEDDLE_CC_AT

/// Convert a texel to the registers of a PTX surface instruction, and back.
template <class T>
HEDDLE_CC_FUNCTION SurfaceWord<sizeof(T)> surface_word(const T& value) {
  SurfaceWord<sizeof(T)> word{};
  __builtin_memcpy(&word, &value, sizeof value);
  return word;
}
template <class T>
HEDDLE_CC_FUNCTION T surface_value(const SurfaceWord<sizeof(T)>& word) {
  T value;
  __builtin_memcpy(&value, &word, sizeof value);
  return value;
}

}  // namespace heddle_cc

// Defines the functions of one geometry, for a surface object (type: cudaSurfaceObject_t) or a surface
// reference. `at`: the arguments x, y, z of read_GEOMETRY() and write_GEOMETRY() above.
#define HEDDLE_CC_SURFACE(name, geometry, type, object, parameters, arguments, at)                           \
  template <class T>                                                                                         \
  HEDDLE_CC_FUNCTION T name##read(type s, parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    heddle_cc::SurfaceWord<sizeof(T)> word;                                                                  \
    heddle_cc::read_##geometry(word, object, at, mode);                                                      \
    return heddle_cc::surface_value<T>(word);                                                                \
  }                                                                                                          \
  template <class T>                                                                                         \
  HEDDLE_CC_FUNCTION void name##read(T* into, type s, parameters,                                            \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                  \
    *into = name##read<T>(s, arguments, mode);                                                               \
  }                                                                                                          \
  template <class T>                                                                                         \
  HEDDLE_CC_FUNCTION void name##write(T value, type s, parameters,                                           \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                 \
    heddle_cc::write_##geometry(heddle_cc::surface_word(value), object, at, mode);                           \
  }
#define HEDDLE_CC_SURFACES(name, geometry, type, parameters, arguments, at)                       \
  HEDDLE_CC_SURFACE(name, geometry, cudaSurfaceObject_t, s, HEDDLE_CC_LIST(parameters),           \
                    HEDDLE_CC_LIST(arguments), HEDDLE_CC_LIST(at))                                \
  HEDDLE_CC_SURFACE(name, geometry, HEDDLE_CC_LIST(surface<void, type>), heddle_cc::object_of(s), \
                    HEDDLE_CC_LIST(parameters), HEDDLE_CC_LIST(arguments), HEDDLE_CC_LIST(at))
HEDDLE_CC_SURFACES(surf1D, 1d, cudaSurfaceType1D, HEDDLE_CC_LIST(int x), HEDDLE_CC_LIST(x),
                   HEDDLE_CC_LIST(x, x, x))
HEDDLE_CC_SURFACES(surf2D, 2d, cudaSurfaceType2D, HEDDLE_CC_LIST(int x, int y), HEDDLE_CC_LIST(x, y),
                   HEDDLE_CC_LIST(x, y, x))
HEDDLE_CC_SURFACES(surf3D, 3d, cudaSurfaceType3D, HEDDLE_CC_LIST(int x, int y, int z),
                   HEDDLE_CC_LIST(x, y, z), HEDDLE_CC_LIST(x, y, z))
HEDDLE_CC_SURFACES(surf1DLayered, a1d, cudaSurfaceType1DLayered, HEDDLE_CC_LIST(int x, int layer),
                   HEDDLE_CC_LIST(x, layer), HEDDLE_CC_LIST(x, x, layer))
HEDDLE_CC_SURFACES(surf2DLayered, a2d, cudaSurfaceType2DLayered, HEDDLE_CC_LIST(int x, int y, int layer),
                   HEDDLE_CC_LIST(x, y, layer), HEDDLE_CC_LIST(x, y, layer))
HEDDLE_CC_SURFACES(surfCubemap, a2d, cudaSurfaceTypeCubemap, HEDDLE_CC_LIST(int x, int y, int face),
                   HEDDLE_CC_LIST(x, y, face), HEDDLE_CC_LIST(x, y, face))
HEDDLE_CC_SURFACES(surfCubemapLayered, a2d, cudaSurfaceTypeCubemapLayered,
                   HEDDLE_CC_LIST(int x, int y, int layer_face), HEDDLE_CC_LIST(x, y, layer_face),
                   HEDDLE_CC_LIST(x, y, layer_face))
#undef HEDDLE_CC_SURFACES
#undef HEDDLE_CC_SURFACE
#undef HEDDLE_CC_LIST
