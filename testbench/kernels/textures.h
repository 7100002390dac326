// Textures and surfaces for the kernels in this folder: functions with CUDA C's names, written as PTX for both clang
// and nvcc. A handle is a cudaTextureObject_t or a cudaSurfaceObject_t.
#pragma once

#include "shim.h"

using Texture = unsigned long long;
using Surface = unsigned long long;

#define TEXTURE_FUNCTION static __device__ __forceinline__

TEXTURE_FUNCTION float4 tex1d(Texture t, float x) {
  float4 r;
  asm("tex.1d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5}];"
      : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
      : "l"(t), "f"(x));
  return r;
}
TEXTURE_FUNCTION float4 tex1d_fetch(Texture t, int x) {
  float4 r;
  asm("tex.1d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
      : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
      : "l"(t), "r"(x));
  return r;
}
TEXTURE_FUNCTION float4 tex2d(Texture t, float x, float y) {
  float4 r;
  asm("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
      : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
      : "l"(t), "f"(x), "f"(y));
  return r;
}
TEXTURE_FUNCTION uint4 tex2d_bytes(Texture t, float x, float y) {
  uint4 r;
  asm("tex.2d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
      : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)
      : "l"(t), "f"(x), "f"(y));
  return r;
}
// Returns component 0 of the four texels around a point: lower left, lower right, upper right, upper left.
TEXTURE_FUNCTION float4 gather2d(Texture t, float x, float y) {
  float4 r;
  asm("tld4.r.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
      : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
      : "l"(t), "f"(x), "f"(y));
  return r;
}
TEXTURE_FUNCTION float4 tex3d(Texture t, float x, float y, float z) {
  float4 r;
  asm("tex.3d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"
      : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
      : "l"(t), "f"(x), "f"(y), "f"(z));
  return r;
}
// Reads a float of a surface; x is in bytes, y in rows. Outside of the surface, it reads the edge.
TEXTURE_FUNCTION float surface_read_clamped(Surface s, int x, int y) {
  float r;
  asm volatile("suld.b.2d.b32.clamp {%0}, [%1, {%2, %3}];" : "=f"(r) : "l"(s), "r"(x), "r"(y) : "memory");
  return r;
}
TEXTURE_FUNCTION float surface_read_or_zero(Surface s, int x, int y) {
  float r;
  asm volatile("suld.b.2d.b32.zero {%0}, [%1, {%2, %3}];" : "=f"(r) : "l"(s), "r"(x), "r"(y) : "memory");
  return r;
}
TEXTURE_FUNCTION void surface_write(Surface s, int x, int y, float value) {
  asm volatile("sust.b.2d.b32.trap [%0, {%1, %2}], {%3};" : : "l"(s), "r"(x), "r"(y), "f"(value) : "memory");
}
// Writes a texel of a layer. A write outside of the layer is dropped.
TEXTURE_FUNCTION void layer_write(Surface s, int layer, int x, int y, ushort value) {
  asm volatile("sust.b.a2d.b16.zero [%0, {%1, %2, %3, %3}], {%4};"
               :
               : "l"(s), "r"(layer), "r"(x), "r"(y), "h"(value)
               : "memory");
}

#undef TEXTURE_FUNCTION
