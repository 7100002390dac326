#include "../matrix.h"

constexpr int rows = 32, columns = 64, depth = 64;  // a CTA's part of c (16 x 32 per warp); depth of one step
constexpr int pitch = depth + 16;                   // row length in shared memory, in bytes

// c = a * b for matrices of bytes: a is stored by rows, b by columns, c by rows in 32 bits. Sizes are multiples of
// `rows`, `columns` and `depth`.
__global__ void s8_gemm(const signed char* a, const signed char* b, int* c, int width, int inner) {
  __shared__ __attribute__((aligned(16))) uchar staged_a[rows * pitch];
  __shared__ __attribute__((aligned(16))) uchar staged_b[columns * pitch];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int row = blockIdx.y * rows, column = blockIdx.x * columns;
  const int warp_row = warp / 2 * 16, warp_column = warp % 2 * 32;
  const uint from_a = shared_address(staged_a + (warp_row + lane % 16) * pitch + lane / 16 * 16);
  // Addresses for ldmatrix: matrices 0 and 1 hold bytes 0-15 and 16-31 of eight columns, 2 and 3 of the next eight.
  const uint from_b = shared_address(staged_b + (warp_column + lane / 16 * 8 + lane % 8) * pitch + lane / 8 % 2 * 16);
  int sums[4][4] = {};
  for (int from = 0; from < inner; from += depth) {
    *(uint4*)(staged_a + thread / 4 * pitch + thread % 4 * 16) =
        *(const uint4*)(a + (row + thread / 4) * inner + from + thread % 4 * 16);
#pragma unroll
    for (int i = 0; i < columns; i += 32)
      *(uint4*)(staged_b + (i + thread / 4) * pitch + thread % 4 * 16) =
          *(const uint4*)(b + (column + i + thread / 4) * inner + from + thread % 4 * 16);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; k += 32) {
      uint part_a[4];
      load_matrices(part_a, from_a + k);
#pragma unroll
      for (int n = 0; n < 4; n += 2) {
        uint part_b[4];
        load_matrices(part_b, from_b + n * 8 * pitch + k);
        multiply_s8(sums[n], part_a, part_b[0], part_b[1]);
        multiply_s8(sums[n + 1], part_a, part_b[2], part_b[3]);
      }
    }
    __syncthreads();
  }
  int* const to = c + (row + warp_row + lane / 4) * width + column + warp_column + lane % 4 * 2;
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    *(int2*)(to + n * 8) = {sums[n][0], sums[n][1]};
    *(int2*)(to + 8 * width + n * 8) = {sums[n][2], sums[n][3]};
  }
}
