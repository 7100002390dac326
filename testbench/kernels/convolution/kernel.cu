#include "../shim.h"

constexpr int radius = 8;

// Taps of the filter, which the host writes before the launches.
__constant__ float taps[2 * radius + 1] = {1.0f};

// Computes a separable convolution; pixels outside of the image are zero. A CTA of 64 x 4 threads loads its part of
// four rows, and `radius` more pixels at each end, into shared memory.
__global__ void convolve_rows(float* output, const float* input, int width, int height) {
  __shared__ float staged[4][64 + 2 * radius];
  const int column = blockIdx.x * 64 + threadIdx.x;
  const int row = blockIdx.y * 4 + threadIdx.y;
  for (int x = threadIdx.x; x < 64 + 2 * radius; x += 64) {
    const int from = (int)(blockIdx.x * 64) + x - radius;
    staged[threadIdx.y][x] = row < height && from >= 0 && from < width ? input[row * width + from] : 0.0f;
  }
  __syncthreads();
  if (column >= width || row >= height) return;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k <= 2 * radius; ++k) sum += taps[k] * staged[threadIdx.y][threadIdx.x + k];
  output[row * width + column] = sum;
}

__global__ void convolve_columns(float* output, const float* input, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  float sum = 0.0f;
  for (int k = -radius; k <= radius; ++k) {
    const int from = row + k;
    if (from >= 0 && from < height) sum += taps[k + radius] * input[from * width + column];
  }
  output[row * width + column] = sum;
}
