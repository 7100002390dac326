#include "../textures.h"

constexpr int radius = 6;

// Taps of the filter, which the host writes before the launches.
__constant__ float taps[2 * radius + 1] = {1.0f};

// Separable convolution of a texture, which repeats its edge texels. Each filter tap is one texture look-up.
__global__ void along_rows(Texture image, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
#pragma unroll
  for (int k = -radius; k <= radius; ++k)
    sum = __fmaf_rn(tex2d(image, (float)(x + k) + 0.5f, (float)y + 0.5f).x, taps[radius + k], sum);
  out[y * width + x] = sum;
}

__global__ void along_columns(Texture rows, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
#pragma unroll
  for (int k = -radius; k <= radius; ++k)
    sum = __fmaf_rn(tex2d(rows, (float)x + 0.5f, (float)(y + k) + 0.5f).x, taps[radius + k], sum);
  out[y * width + x] = sum;
}
