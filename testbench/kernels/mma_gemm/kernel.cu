#include "../matrix.h"

// A CTA computes `rows` x `columns` elements of c = a * b. One step of the CTA's loop multiplies `depth` columns of a
// by `depth` rows of b. Each of the CTA's four warps computes 16 x 32 elements of c.
constexpr int rows = 32, columns = 64, depth = 32;
// Row lengths in shared memory, padded so that 8 rows of 16 bytes lie in different banks.
constexpr int pitch_a = depth + 8, pitch_b = columns + 8;

__global__ void narrow(const float* from, uint* to, int pairs) { convert_to_f16(from, to, pairs); }

// c = a * b for matrices stored by rows: a and b in half precision, c in single precision. Sizes are multiples of
// `rows`, `columns` and `depth`.
__global__ void mma_gemm(const ushort* a, const ushort* b, float* c, int width, int inner) {
  __shared__ __attribute__((aligned(16))) ushort staged_a[rows * pitch_a];
  __shared__ __attribute__((aligned(16))) ushort staged_b[depth * pitch_b];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int row = blockIdx.y * rows, column = blockIdx.x * columns;
  const int warp_row = warp / 2 * 16, warp_column = warp % 2 * 32;
  const uint from_a = shared_address(staged_a + (warp_row + lane % 16) * pitch_a + lane / 16 * 8);
  const uint from_b = shared_address(staged_b + lane % 16 * pitch_b + warp_column + lane / 16 * 8);
  float sums[4][4] = {};
  for (int from = 0; from < inner; from += depth) {
    *(uint4*)(staged_a + thread / 4 * pitch_a + thread % 4 * 8) =
        *(const uint4*)(a + (row + thread / 4) * inner + from + thread % 4 * 8);
#pragma unroll
    for (int i = 0; i < depth; i += 16)
      *(uint4*)(staged_b + (i + thread / 8) * pitch_b + thread % 8 * 8) =
          *(const uint4*)(b + (from + i + thread / 8) * width + column + thread % 8 * 8);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; k += 16) {
      uint part_a[4];
      load_matrices(part_a, from_a + k * 2);
#pragma unroll
      for (int n = 0; n < 4; n += 2) {
        uint part_b[4];
        load_transposed(part_b, from_b + (k * pitch_b + n * 8) * 2);
        multiply_f16(sums[n], part_a, part_b[0], part_b[1]);
        multiply_f16(sums[n + 1], part_a, part_b[2], part_b[3]);
      }
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
