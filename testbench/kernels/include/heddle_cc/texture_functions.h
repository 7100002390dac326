// SPDX-License-Identifier: Apache-2.0
// Texture functions of objects and references (CUDA C++ Programming Guide, "Texture Functions"). A texture
// has one level, so levels of detail and gradients have no effect.
#pragma once

#include "base.h"
#include "texture_calls.h"

namespace heddle_cc {

// Converts the four components that a PTX texture instruction returns to the requested type.
template <class T>
struct Texel;
#define HEDDLE_CC_TEXEL(type, name, four)                                                 \
  template <>                                                                             \
  struct Texel<type> {                                                                    \
    using Raw = four;                                                                     \
    HEDDLE_CC_FUNCTION_MEMBER static type of(Raw r) { return (type)r.x; }                 \
    using Float = float;                                                                  \
  };                                                                                      \
  template <>                                                                             \
  struct Texel<name##1> {                                                                 \
    using Raw = four;                                                                     \
    HEDDLE_CC_FUNCTION_MEMBER static name##1 of(Raw r) { return {(type)r.x}; }            \
    using Float = float1;                                                                 \
  };                                                                                      \
  template <>                                                                             \
  struct Texel<name##2> {                                                                 \
    using Raw = four;                                                                     \
    HEDDLE_CC_FUNCTION_MEMBER static name##2 of(Raw r) { return {(type)r.x, (type)r.y}; } \
    using Float = float2;                                                                 \
  };                                                                                      \
  template <>                                                                             \
  struct Texel<name##4> {                                                                 \
    using Raw = four;                                                                     \
    HEDDLE_CC_FUNCTION_MEMBER static name##4 of(Raw r) {                                  \
      return {(type)r.x, (type)r.y, (type)r.z, (type)r.w};                                \
    }                                                                                     \
    using Float = float4;                                                                 \
  };
HEDDLE_CC_TEXEL(signed char, char, int4)
HEDDLE_CC_TEXEL(unsigned char, uchar, uint4)
HEDDLE_CC_TEXEL(short, short, int4)
HEDDLE_CC_TEXEL(unsigned short, ushort, uint4)
HEDDLE_CC_TEXEL(int, int, int4)
HEDDLE_CC_TEXEL(unsigned, uint, uint4)
HEDDLE_CC_TEXEL(float, float, float4)
#undef HEDDLE_CC_TEXEL
template <>
struct Texel<char> {
  using Raw = int4;
  HEDDLE_CC_FUNCTION_MEMBER static char of(Raw r) { return (char)r.x; }
  using Float = float;
};

/// The result type of a look-up through a texture reference.
template <class T, cudaTextureReadMode mode>
struct Looked {
  using Type = T;
};
template <class T>
struct Looked<T, cudaReadModeNormalizedFloat> {
  using Type = typename Texel<T>::Float;
};

/// Returns the texture object of a reference. The object is the address of the reference's header.
template <class Reference>
HEDDLE_CC_FUNCTION cudaTextureObject_t object_of(Reference reference) {
  cudaTextureObject_t object;
  asm("mov.b64 %0, %1;" : "=l"(object) : "l"(reference));
  return object;
}

}  // namespace heddle_cc

// Passes lists of parameters and arguments as one argument of a macro.
#define HEDDLE_CC_LIST(...) __VA_ARGS__

#define HEDDLE_CC_RAW(name, instruction, type, kind, constraint, operands, parameters, inputs) \
  HEDDLE_CC_FUNCTION void name(type& r, cudaTextureObject_t t, parameters) {                   \
    asm(instruction ".v4." kind "." operands                                                   \
        : "=" constraint(r.x), "=" constraint(r.y), "=" constraint(r.z), "=" constraint(r.w)   \
        : "l"(t), inputs);                                                                     \
  }
// Defines a look-up function of texture objects in both forms of the CUDA guide: with a returned and a stored result.
#define HEDDLE_CC_LOOK_UP(name, instruction, operands, parameters, arguments, inputs)              \
  namespace heddle_cc {                                                                            \
  HEDDLE_CC_RAW(raw_##name, instruction, float4, "f32", "f", operands, HEDDLE_CC_LIST(parameters), \
                HEDDLE_CC_LIST(inputs))                                                            \
  HEDDLE_CC_RAW(raw_##name, instruction, int4, "s32", "r", operands, HEDDLE_CC_LIST(parameters),   \
                HEDDLE_CC_LIST(inputs))                                                            \
  HEDDLE_CC_RAW(raw_##name, instruction, uint4, "u32", "r", operands, HEDDLE_CC_LIST(parameters),  \
                HEDDLE_CC_LIST(inputs))                                                            \
  }                                                                                                \
  template <class T>                                                                               \
  HEDDLE_CC_FUNCTION T name(cudaTextureObject_t t, parameters) {                                   \
    typename heddle_cc::Texel<T>::Raw r;                                                           \
    heddle_cc::raw_##name(r, t, arguments);                                                        \
    return heddle_cc::Texel<T>::of(r);                                                             \
  }                                                                                                \
  template <class T>                                                                               \
  HEDDLE_CC_FUNCTION void name(T* into, cudaTextureObject_t t, parameters) {                       \
    *into = name<T>(t, arguments);                                                                 \
  }
// Defines the functions of HEDDLE_CC_LOOK_UP, and a look-up function for texture references of type `type`.
#define HEDDLE_CC_LOOK_UPS(name, type, instruction, operands, parameters, arguments, inputs)                \
  HEDDLE_CC_LOOK_UP(name, instruction, operands, HEDDLE_CC_LIST(parameters), HEDDLE_CC_LIST(arguments),     \
                    HEDDLE_CC_LIST(inputs))                                                                 \
  template <class T, cudaTextureReadMode mode>                                                              \
  HEDDLE_CC_FUNCTION typename heddle_cc::Looked<T, mode>::Type name(texture<T, type, mode> t, parameters) { \
    return name<typename heddle_cc::Looked<T, mode>::Type>(heddle_cc::object_of(t), arguments);             \
  }

#define HEDDLE_CC_INTO "{%0, %1, %2, %3}, "
HEDDLE_CC_LOOK_UPS(tex1Dfetch, cudaTextureType1D, "tex.1d", "s32 " HEDDLE_CC_INTO "[%4, {%5}];",
                   HEDDLE_CC_LIST(int x), HEDDLE_CC_LIST(x), HEDDLE_CC_LIST("r"(x)))
HEDDLE_CC_LOOK_UPS(tex1D, cudaTextureType1D, "tex.1d", "f32 " HEDDLE_CC_INTO "[%4, {%5}];",
                   HEDDLE_CC_LIST(float x), HEDDLE_CC_LIST(x), HEDDLE_CC_LIST("f"(x)))
HEDDLE_CC_LOOK_UPS(tex2D, cudaTextureType2D, "tex.2d", "f32 " HEDDLE_CC_INTO "[%4, {%5, %6}];",
                   HEDDLE_CC_LIST(float x, float y), HEDDLE_CC_LIST(x, y), HEDDLE_CC_LIST("f"(x), "f"(y)))
HEDDLE_CC_LOOK_UPS(tex3D, cudaTextureType3D, "tex.3d", "f32 " HEDDLE_CC_INTO "[%4, {%5, %6, %7, %7}];",
                   HEDDLE_CC_LIST(float x, float y, float z), HEDDLE_CC_LIST(x, y, z),
                   HEDDLE_CC_LIST("f"(x), "f"(y), "f"(z)))
HEDDLE_CC_LOOK_UPS(tex1DLayered, cudaTextureType1DLayered, "tex.a1d", "f32 " HEDDLE_CC_INTO "[%4, {%6, %5}];",
                   HEDDLE_CC_LIST(float x, int layer), HEDDLE_CC_LIST(x, layer),
                   HEDDLE_CC_LIST("f"(x), "r"(layer)))
HEDDLE_CC_LOOK_UPS(tex2DLayered, cudaTextureType2DLayered, "tex.a2d",
                   "f32 " HEDDLE_CC_INTO "[%4, {%7, %5, %6, %6}];",
                   HEDDLE_CC_LIST(float x, float y, int layer), HEDDLE_CC_LIST(x, y, layer),
                   HEDDLE_CC_LIST("f"(x), "f"(y), "r"(layer)))
HEDDLE_CC_LOOK_UPS(texCubemap, cudaTextureTypeCubemap, "tex.cube",
                   "f32 " HEDDLE_CC_INTO "[%4, {%5, %6, %7, %7}];", HEDDLE_CC_LIST(float x, float y, float z),
                   HEDDLE_CC_LIST(x, y, z), HEDDLE_CC_LIST("f"(x), "f"(y), "f"(z)))
HEDDLE_CC_LOOK_UPS(texCubemapLayered, cudaTextureTypeCubemapLayered, "tex.acube",
                   "f32 " HEDDLE_CC_INTO "[%4, {%8, %5, %6, %7}];",
                   HEDDLE_CC_LIST(float x, float y, float z, int layer), HEDDLE_CC_LIST(x, y, z, layer),
                   HEDDLE_CC_LIST("f"(x), "f"(y), "f"(z), "r"(layer)))

// Look-up functions with a level of detail.
HEDDLE_CC_LOOK_UPS(tex1DLod, cudaTextureType1D, "tex.level.1d", "f32 " HEDDLE_CC_INTO "[%4, {%5}], %6;",
                   HEDDLE_CC_LIST(float x, float level), HEDDLE_CC_LIST(x, level),
                   HEDDLE_CC_LIST("f"(x), "f"(level)))
HEDDLE_CC_LOOK_UPS(tex2DLod, cudaTextureType2D, "tex.level.2d", "f32 " HEDDLE_CC_INTO "[%4, {%5, %6}], %7;",
                   HEDDLE_CC_LIST(float x, float y, float level), HEDDLE_CC_LIST(x, y, level),
                   HEDDLE_CC_LIST("f"(x), "f"(y), "f"(level)))
HEDDLE_CC_LOOK_UPS(tex3DLod, cudaTextureType3D, "tex.level.3d",
                   "f32 " HEDDLE_CC_INTO "[%4, {%5, %6, %7, %7}], %8;",
                   HEDDLE_CC_LIST(float x, float y, float z, float level), HEDDLE_CC_LIST(x, y, z, level),
                   HEDDLE_CC_LIST("f"(x), "f"(y), "f"(z), "f"(level)))
HEDDLE_CC_LOOK_UPS(tex1DLayeredLod, cudaTextureType1DLayered, "tex.level.a1d",
                   "f32 " HEDDLE_CC_INTO "[%4, {%6, %5}], %7;",
                   HEDDLE_CC_LIST(float x, int layer, float level), HEDDLE_CC_LIST(x, layer, level),
                   HEDDLE_CC_LIST("f"(x), "r"(layer), "f"(level)))
HEDDLE_CC_LOOK_UPS(tex2DLayeredLod, cudaTextureType2DLayered, "tex.level.a2d",
                   "f32 " HEDDLE_CC_INTO "[%4, {%7, %5, %6, %6}], %8;",
                   HEDDLE_CC_LIST(float x, float y, int layer, float level),
                   HEDDLE_CC_LIST(x, y, layer, level), HEDDLE_CC_LIST("f"(x), "f"(y), "r"(layer), "f"(level)))
HEDDLE_CC_LOOK_UPS(texCubemapLod, cudaTextureTypeCubemap, "tex.level.cube",
                   "f32 " HEDDLE_CC_INTO "[%4, {%5, %6, %7, %7}], %8;",
                   HEDDLE_CC_LIST(float x, float y, float z, float level), HEDDLE_CC_LIST(x, y, z, level),
                   HEDDLE_CC_LIST("f"(x), "f"(y), "f"(z), "f"(level)))
HEDDLE_CC_LOOK_UPS(texCubemapLayeredLod, cudaTextureTypeCubemapLayered, "tex.level.acube",
                   "f32 " HEDDLE_CC_INTO "[%4, {%8, %5, %6, %7}], %9;",
                   HEDDLE_CC_LIST(float x, float y, float z, int layer, float level),
                   HEDDLE_CC_LIST(x, y, z, layer, level),
                   HEDDLE_CC_LIST("f"(x), "f"(y), "f"(z), "r"(layer), "f"(level)))

// Look-up functions with gradients along the screen's axes. A gradient has one component per texture dimension.
HEDDLE_CC_LOOK_UPS(tex1DGrad, cudaTextureType1D, "tex.grad.1d",
                   "f32 " HEDDLE_CC_INTO "[%4, {%5}], {%6}, {%7};",
                   HEDDLE_CC_LIST(float x, float dx, float dy), HEDDLE_CC_LIST(x, dx, dy),
                   HEDDLE_CC_LIST("f"(x), "f"(dx), "f"(dy)))
HEDDLE_CC_LOOK_UPS(tex2DGrad, cudaTextureType2D, "tex.grad.2d",
                   "f32 " HEDDLE_CC_INTO "[%4, {%5, %6}], {%7, %8}, {%9, %10};",
                   HEDDLE_CC_LIST(float x, float y, float2 dx, float2 dy), HEDDLE_CC_LIST(x, y, dx, dy),
                   HEDDLE_CC_LIST("f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
HEDDLE_CC_LOOK_UPS(tex3DGrad, cudaTextureType3D, "tex.grad.3d",
                   "f32 " HEDDLE_CC_INTO "[%4, {%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13};",
                   HEDDLE_CC_LIST(float x, float y, float z, float4 dx, float4 dy),
                   HEDDLE_CC_LIST(x, y, z, dx, dy),
                   HEDDLE_CC_LIST("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x),
                                  "f"(dy.y), "f"(dy.z)))
HEDDLE_CC_LOOK_UPS(tex1DLayeredGrad, cudaTextureType1DLayered, "tex.grad.a1d",
                   "f32 " HEDDLE_CC_INTO "[%4, {%6, %5}], {%7}, {%8};",
                   HEDDLE_CC_LIST(float x, int layer, float dx, float dy), HEDDLE_CC_LIST(x, layer, dx, dy),
                   HEDDLE_CC_LIST("f"(x), "r"(layer), "f"(dx), "f"(dy)))
HEDDLE_CC_LOOK_UPS(tex2DLayeredGrad, cudaTextureType2DLayered, "tex.grad.a2d",
                   "f32 " HEDDLE_CC_INTO "[%4, {%7, %5, %6, %6}], {%8, %9}, {%10, %11};",
                   HEDDLE_CC_LIST(float x, float y, int layer, float2 dx, float2 dy),
                   HEDDLE_CC_LIST(x, y, layer, dx, dy),
                   HEDDLE_CC_LIST("f"(x), "f"(y), "r"(layer), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
HEDDLE_CC_LOOK_UPS(texCubemapGrad, cudaTextureTypeCubemap, "tex.grad.cube",
                   "f32 " HEDDLE_CC_INTO "[%4, {%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13};",
                   HEDDLE_CC_LIST(float x, float y, float z, float4 dx, float4 dy),
                   HEDDLE_CC_LIST(x, y, z, dx, dy),
                   HEDDLE_CC_LIST("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x),
                                  "f"(dy.y), "f"(dy.z)))
HEDDLE_CC_LOOK_UPS(texCubemapLayeredGrad, cudaTextureTypeCubemapLayered, "tex.grad.acube",
                   "f32 " HEDDLE_CC_INTO "[%4, {%8, %5, %6, %7}], {%9, %10, %11, %11}, {%12, %13, %14, %14};",
                   HEDDLE_CC_LIST(float x, float y, float z, int layer, float4 dx, float4 dy),
                   HEDDLE_CC_LIST(x, y, z, layer, dx, dy),
                   HEDDLE_CC_LIST("f"(x), "f"(y), "f"(z), "r"(layer), "f"(dx.x), "f"(dx.y), "f"(dx.z),
                                  "f"(dy.x), "f"(dy.y), "f"(dy.z)))

// Look-up functions that return one component of each of the four texels around a point.
#define HEDDLE_CC_GATHER(component)                                                            \
  HEDDLE_CC_LOOK_UP(heddle_cc_gather_##component, "tld4." #component ".2d",                    \
                    "f32 " HEDDLE_CC_INTO "[%4, {%5, %6}];", HEDDLE_CC_LIST(float x, float y), \
                    HEDDLE_CC_LIST(x, y), HEDDLE_CC_LIST("f"(x), "f"(y)))
HEDDLE_CC_GATHER(r)
HEDDLE_CC_GATHER(g)
HEDDLE_CC_GATHER(b)
HEDDLE_CC_GATHER(a)
#undef HEDDLE_CC_GATHER
template <class T>
HEDDLE_CC_FUNCTION T tex2Dgather(cudaTextureObject_t t, float x, float y, int component = 0) {
  switch (component) {
    case 1:
      return heddle_cc_gather_g<T>(t, x, y);
    case 2:
      return heddle_cc_gather_b<T>(t, x, y);
    case 3:
      return heddle_cc_gather_a<T>(t, x, y);
    default:
      return heddle_cc_gather_r<T>(t, x, y);
  }
}
template <class T>
HEDDLE_CC_FUNCTION void tex2Dgather(T* into, cudaTextureObject_t t, float x, float y, int component = 0) {
  *into = tex2Dgather<T>(t, x, y, component);
}

#undef HEDDLE_CC_INTO
#undef HEDDLE_CC_LOOK_UPS
#undef HEDDLE_CC_LOOK_UP
#undef HEDDLE_CC_RAW
