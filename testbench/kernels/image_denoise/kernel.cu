#include "../textures.h"

// Two kernels remove noise from a colour image. One takes the mean of near pixels with similar colours, the other the
// mean of near pixels with similar windows (non-local means). The texture repeats its edge texels.

static __device__ __forceinline__ float squared(float4 a, float4 b) {
  const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return x * x + y * y + z * z;
}

static __device__ __forceinline__ float4 texel(Texture image, int x, int y) {
  return tex2d(image, (float)x + 0.5f, (float)y + 0.5f);
}

__global__ void nearest(Texture image, float4* out, int width, int height, int radius, float colours, float distance) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float4 own = texel(image, x, y);
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int j = -radius; j <= radius; ++j)
    for (int i = -radius; i <= radius; ++i) {
      const float4 other = texel(image, x + i, y + j);
      const float weight = __expf(-(squared(own, other) * colours + (float)(i * i + j * j) * distance));
      sum.x += weight * other.x;
      sum.y += weight * other.y;
      sum.z += weight * other.z;
      sum.w += weight;
    }
  out[y * width + x] = make_float4(__fdividef(sum.x, sum.w), __fdividef(sum.y, sum.w), __fdividef(sum.z, sum.w), sum.w);
}

// Non-local means: a near pixel has more weight if its window (3 x 3 pixels) resembles the thread's window.
__global__ void windows(Texture image, float4* out, int width, int height, int radius, float colours, float distance) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int j = -radius; j <= radius; ++j)
    for (int i = -radius; i <= radius; ++i) {
      float apart = 0.0f;
      for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u) apart += squared(texel(image, x + u, y + v), texel(image, x + i + u, y + j + v));
      const float weight = __expf(-(apart * (colours / 9.0f) + (float)(i * i + j * j) * distance));
      const float4 other = texel(image, x + i, y + j);
      sum.x += weight * other.x;
      sum.y += weight * other.y;
      sum.z += weight * other.z;
      sum.w += weight;
    }
  out[y * width + x] = make_float4(__fdividef(sum.x, sum.w), __fdividef(sum.y, sum.w), __fdividef(sum.z, sum.w), sum.w);
}
