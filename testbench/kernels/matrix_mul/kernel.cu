#include "../shim.h"

constexpr int tile = 16;

// Computes C (height x width) = A (height x depth) * B (depth x width), stored by rows. A CTA of 16 x 16 threads
// computes one tile of C. For this, the CTA loads tiles of A and B into shared memory, one pair after the other.
// Incomplete tiles at the edges are padded with zeros.
__global__ void matrix_mul(const float* a, const float* b, float* c, int height, int depth, int width) {
  __shared__ float a_tile[tile][tile];
  __shared__ float b_tile[tile][tile];
  const int column = blockIdx.x * tile + threadIdx.x;
  const int row = blockIdx.y * tile + threadIdx.y;
  float sum = 0.0f;
  for (int first = 0; first < depth; first += tile) {
    const int a_column = first + threadIdx.x;
    const int b_row = first + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row < height && a_column < depth ? a[row * depth + a_column] : 0.0f;
    b_tile[threadIdx.y][threadIdx.x] = b_row < depth && column < width ? b[b_row * width + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
  }
  if (row < height && column < width) c[row * width + column] = sum;
}
