#include "../shim.h"

constexpr int own = 4;  // number of elements of a row that each thread holds

static __device__ __forceinline__ float widened(ushort v) { return __builtin_bit_cast(float, (uint)v << 16); }
static __device__ __forceinline__ ushort narrowed(float v) {
  ushort d;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(d) : "f"(v));
  return d;
}
static __device__ __forceinline__ ushort fused(ushort a, ushort b, ushort c) {
  ushort d;
  asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(d) : "h"(a), "h"(b), "h"(c));
  return d;
}
static __device__ __forceinline__ uint largest(uint a, uint b) {
  uint d;
  asm("max.bf16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}
static __device__ __forceinline__ uint size_of(uint a) {
  uint d;
  asm("abs.bf16x2 %0, %1;" : "=r"(d) : "r"(a));
  return d;
}
static __device__ __forceinline__ float sum_of_warp(float v) {
#pragma unroll
  for (int lanes = 16; lanes > 0; lanes /= 2) v = __fadd_rn(v, __shfl_xor_sync(0xffffffffu, v, lanes));
  return v;
}

__global__ void narrow(const float* from, uint* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  uint d;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(from[2 * i + 1]), "f"(from[2 * i]));
  to[i] = d;
}

// Normalises rows of 128 bfloat16 numbers, one row per warp. Mean and variance are in single precision, the result is
// in bfloat16. Also finds the largest magnitude of each row's result.
__global__ void layer_norm(const ushort* in, const ushort* scale, const ushort* shift, ushort* out,
                           uint* peak, int rows) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const ushort* const from = in + row * own * 32 + lane;
  float values[own], sum = 0, squares = 0;
#pragma unroll
  for (int i = 0; i < own; ++i) sum = __fadd_rn(sum, values[i] = widened(from[32 * i]));
  const float mean = __fmul_rn(sum_of_warp(sum), 1.0f / (own * 32));
#pragma unroll
  for (int i = 0; i < own; ++i) {
    values[i] = __fadd_rn(values[i], -mean);
    squares = __fmaf_rn(values[i], values[i], squares);
  }
  const float variance = __fmul_rn(sum_of_warp(squares), 1.0f / (own * 32));
  const float factor = __fdiv_rn(1.0f, __fsqrt_rn(__fadd_rn(variance, 1e-5f)));
  uint most = 0;
#pragma unroll
  for (int i = 0; i < own; i += 2) {
    ushort pair[2];
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const int column = 32 * (i + k) + lane;
      pair[k] = fused(narrowed(__fmul_rn(values[i + k], factor)), scale[column], shift[column]);
      out[row * own * 32 + column] = pair[k];
    }
    most = largest(most, size_of(pair[0] | (uint)pair[1] << 16));
  }
#pragma unroll
  for (int lanes = 16; lanes > 0; lanes /= 2)
    most = largest(most, (uint)__shfl_xor_sync(0xffffffffu, (int)most, lanes));
  if (lane == 0) peak[row] = most;
}
