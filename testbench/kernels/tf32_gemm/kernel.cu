#include "../matrix.h"

constexpr int rows = 32, columns = 64, depth = 16;  // a CTA's part of c (16 x 32 per warp); depth of one step
// Row lengths in shared memory: the words that a warp reads at once lie in different banks.
constexpr int pitch_a = depth + 4, pitch_b = columns + 8;

// c = a * b for single-precision matrices stored by rows, with factors rounded to tf32. Sizes are multiples of `rows`,
// `columns` and `depth`.
__global__ void tf32_gemm(const float* a, const float* b, float* c, int width, int inner) {
  __shared__ __attribute__((aligned(16))) uint staged_a[rows * pitch_a];
  __shared__ __attribute__((aligned(16))) uint staged_b[depth * pitch_b];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int row = blockIdx.y * rows, column = blockIdx.x * columns;
  const int warp_row = warp / 2 * 16, warp_column = warp % 2 * 32;
  const uint* const from_a = staged_a + (warp_row + lane / 4) * pitch_a + lane % 4;
  const uint* const from_b = staged_b + lane % 4 * pitch_b + warp_column + lane / 4;
  float sums[4][4] = {};
  for (int from = 0; from < inner; from += depth) {
    const float4 of_a = *(const float4*)(a + (row + thread / 4) * inner + from + thread % 4 * 4);
    *(uint4*)(staged_a + thread / 4 * pitch_a + thread % 4 * 4) =
        make_uint4(rounded_tf32(of_a.x), rounded_tf32(of_a.y), rounded_tf32(of_a.z), rounded_tf32(of_a.w));
#pragma unroll
    for (int i = 0; i < depth; i += 8) {
      const float4 of_b = *(const float4*)(b + (from + i + thread / 16) * width + column + thread % 16 * 4);
      *(uint4*)(staged_b + (i + thread / 16) * pitch_b + thread % 16 * 4) =
          make_uint4(rounded_tf32(of_b.x), rounded_tf32(of_b.y), rounded_tf32(of_b.z), rounded_tf32(of_b.w));
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; k += 8) {
      const uint part_a[4] = {from_a[k], from_a[8 * pitch_a + k], from_a[k + 4], from_a[8 * pitch_a + k + 4]};
#pragma unroll
      for (int n = 0; n < 4; ++n)
        multiply_tf32(sums[n], part_a, from_b[k * pitch_b + n * 8], from_b[(k + 4) * pitch_b + n * 8]);
    }
    __syncthreads();
  }
  float* const to = c + (row + warp_row + lane / 4) * width + column + warp_column + lane % 4 * 2;
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    *(float2*)(to + n * 8) = make_float2(sums[n][0], sums[n][1]);
    *(float2*)(to + 8 * width + n * 8) = make_float2(sums[n][2], sums[n][3]);
  }
}
