#include "../matrix.h"

constexpr int width = 64, rows = 16;  // width: length of a row; rows: rows per CTA of four warps
constexpr int pitch = width + 8;      // row length in shared memory

static __device__ __forceinline__ float widened(uint half) { return __builtin_bit_cast(float, half); }
static __device__ __forceinline__ float sum_of_warp(float v) {
#pragma unroll
  for (int lanes = 16; lanes > 0; lanes /= 2) v = __fadd_rn(v, __shfl_xor_sync(0xffffffffu, v, lanes));
  return v;
}

__global__ void narrow(const float* from, uint* to, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) to[i] = pair_bf16(from[2 * i], from[2 * i + 1]);
}

// Normalises rows of 64 bfloat16 (mean and variance in single precision). Multiplies the rows by a matrix of 64 rows
// and `columns` columns, and adds a bias per column. Each warp normalises 4 rows, and computes 16 of every 64 columns.
__global__ void norm_gemm(const uint* in, const float* scale, const float* shift, const ushort* weights,
                          const float* bias, float* out, int columns) {
  __shared__ __attribute__((aligned(16))) ushort normal[rows * pitch];
  __shared__ __attribute__((aligned(16))) ushort staged[width * pitch];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int row = blockIdx.x * rows;
  const float scale_0 = scale[2 * lane], scale_1 = scale[2 * lane + 1];
  const float shift_0 = shift[2 * lane], shift_1 = shift[2 * lane + 1];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const uint pair = in[(row + warp * 4 + i) * (width / 2) + lane];
    float v0 = widened(pair << 16), v1 = widened(pair & 0xffff0000u);
    const float mean = __fmul_rn(sum_of_warp(__fadd_rn(v0, v1)), 1.0f / width);
    v0 = __fadd_rn(v0, -mean);
    v1 = __fadd_rn(v1, -mean);
    const float variance = __fmul_rn(sum_of_warp(__fmaf_rn(v1, v1, __fmul_rn(v0, v0))), 1.0f / width);
    const float factor = __fdiv_rn(1.0f, __fsqrt_rn(__fadd_rn(variance, 1e-5f)));
    *(uint*)(normal + (warp * 4 + i) * pitch + 2 * lane) = pair_bf16(
        __fmaf_rn(__fmul_rn(v0, factor), scale_0, shift_0), __fmaf_rn(__fmul_rn(v1, factor), scale_1, shift_1));
  }
  const uint from_a = shared_address(normal + lane % 16 * pitch + lane / 16 * 8);
  const uint from_b = shared_address(staged + lane % 16 * pitch + warp * 16 + lane / 16 * 8);
  for (int column = 0; column < columns; column += 64) {
#pragma unroll
    for (int i = 0; i < width; i += 16)
      *(uint4*)(staged + (i + thread / 8) * pitch + thread % 8 * 8) =
          *(const uint4*)(weights + (i + thread / 8) * columns + column + thread % 8 * 8);
    __syncthreads();
    const int own = column + warp * 16 + lane % 4 * 2;
    float sums[2][4] = {};
#pragma unroll
    for (int k = 0; k < width; k += 16) {
      uint part_a[4], part_b[4];
      load_matrices(part_a, from_a + k * 2);
      load_transposed(part_b, from_b + k * pitch * 2);
      multiply_bf16(sums[0], part_a, part_b[0], part_b[1]);
      multiply_bf16(sums[1], part_a, part_b[2], part_b[3]);
    }
    float* const to = out + (row + lane / 4) * columns + own;
#pragma unroll
    for (int n = 0; n < 2; ++n) {
      const float2 added = *(const float2*)(bias + own + n * 8);
      *(float2*)(to + n * 8) = make_float2(sums[n][0] + added.x, sums[n][1] + added.y);
      *(float2*)(to + 8 * columns + n * 8) = make_float2(sums[n][2] + added.x, sums[n][3] + added.y);
    }
    __syncthreads();
  }
}
