#include "../../testbench/kernels/shim.h"

// C = A * B of width x width elements. A is stored by columns, B and C by rows. A CTA of 64 threads computes a tile of
// 64 x 64. Each thread computes 8 x 8 sums in registers, in every eighth row and column; a warp's threads then read
// different banks of shared memory. The CTA loads the next part of A and B while it computes with this part.
constexpr int tile = 64, block = 8, depth = 8;

__global__ void register_gemm(const float* a, const float* b, float* c, int width) {
  __shared__ float a_part[depth][tile], b_part[depth][tile];
  const int column = threadIdx.x % block, row = threadIdx.x / block;
  a += blockIdx.y * tile + threadIdx.x;
  b += blockIdx.x * tile + threadIdx.x;
  float sums[block][block] = {}, next_a[depth], next_b[depth];
#pragma unroll
  for (int k = 0; k < depth; ++k) {
    next_a[k] = a[k * width];
    next_b[k] = b[k * width];
  }
  for (int first = depth; first <= width; first += depth) {
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      a_part[k][threadIdx.x] = next_a[k];
      b_part[k][threadIdx.x] = next_b[k];
    }
    __syncthreads();
    if (first < width) {
      a += depth * width;
      b += depth * width;
#pragma unroll
      for (int k = 0; k < depth; ++k) {
        next_a[k] = a[k * width];
        next_b[k] = b[k * width];
      }
    }
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      float down[block], across[block];
#pragma unroll
      for (int i = 0; i < block; ++i) {
        down[i] = a_part[k][row + i * block];
        across[i] = b_part[k][column + i * block];
      }
#pragma unroll
      for (int i = 0; i < block; ++i)
#pragma unroll
        for (int j = 0; j < block; ++j) sums[i][j] += down[i] * across[j];
    }
    __syncthreads();
  }
  c += (blockIdx.y * tile + row) * width + blockIdx.x * tile + column;
#pragma unroll
  for (int i = 0; i < block; ++i)
#pragma unroll
    for (int j = 0; j < block; ++j) c[i * block * width + j * block] = sums[i][j];
}
