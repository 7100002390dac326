#include "../shim.h"

// The orthonormal 8-point DCT basis, basis[frequency][sample].
__constant__ float basis[8][8] = {
    {0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f},
    {0.49039264f, 0.41573481f, 0.27778512f, 0.09754516f, -0.09754516f, -0.27778512f, -0.41573481f,
     -0.49039264f},
    {0.46193977f, 0.19134172f, -0.19134172f, -0.46193977f, -0.46193977f, -0.19134172f, 0.19134172f,
     0.46193977f},
    {0.41573481f, -0.09754516f, -0.49039264f, -0.27778512f, 0.27778512f, 0.49039264f, 0.09754516f,
     -0.41573481f},
    {0.35355339f, -0.35355339f, -0.35355339f, 0.35355339f, 0.35355339f, -0.35355339f, -0.35355339f,
     0.35355339f},
    {0.27778512f, -0.49039264f, 0.09754516f, 0.41573481f, -0.41573481f, -0.09754516f, 0.49039264f,
     -0.27778512f},
    {0.19134172f, -0.46193977f, 0.46193977f, -0.19134172f, -0.19134172f, 0.46193977f, -0.46193977f,
     0.19134172f},
    {0.09754516f, -0.27778512f, 0.41573481f, -0.49039264f, 0.49039264f, -0.41573481f, 0.27778512f,
     -0.09754516f}};

// Computes the two-dimensional DCT of every 8 x 8 block of an image, as basis * block * basis^T. A CTA of 8 x
// 8 x 2 threads transforms two neighbouring blocks.
__global__ void dct8x8(float* coefficients, const float* image, int width) {
  __shared__ float block[2][8][8];
  __shared__ float half_done[2][8][8];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int z = threadIdx.z;
  const int column = (blockIdx.x * 2 + z) * 8 + x;
  const int row = blockIdx.y * 8 + y;
  block[z][y][x] = image[row * width + column];
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k) sum += block[z][y][k] * basis[x][k];
  half_done[z][y][x] = sum;
  __syncthreads();
  sum = 0.0f;
  for (int k = 0; k < 8; ++k) sum += basis[y][k] * half_done[z][k][x];
  coefficients[row * width + column] = sum;
}
