#include "../textures.h"

static __device__ __forceinline__ uint level(float value) { return (uint)__fmaf_rn(value, 255.0f, 0.5f); }

// Turns and scales the image about its middle. Outside of its edges, the image is mirrored.
__global__ void turn(Texture image, uchar4* out, int width, int height, float angle, float scale) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float u = ((float)x + 0.5f) / (float)width - 0.5f, v = ((float)y + 0.5f) / (float)height - 0.5f;
  const float c = scale * __fmaf_rn(angle, -0.5f * angle, 1.0f), s = scale * angle;
  const float4 p =
      tex2d(image, __fmaf_rn(c, u, __fmaf_rn(-s, v, 0.5f)), __fmaf_rn(s, u, __fmaf_rn(c, v, 0.5f)));
  out[y * width + x] = {(uchar)level(p.x), (uchar)level(p.y), (uchar)level(p.z), (uchar)level(p.w)};
}

// Blurs by weights that decrease with distance. Outside of the image, texels have the border colour.
__global__ void blur(Texture image, float* out, int width, int height, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f, weights = 0.0f;
  for (int j = -radius; j <= radius; ++j)
    for (int i = -radius; i <= radius; ++i) {
      const float weight = 1.0f / (float)(1 + i * i + j * j);
      const float4 p = tex2d(image, (float)(x + i) + 0.5f, (float)(y + j) + 0.5f);
      sum = __fmaf_rn(weight, __fadd_rn(__fadd_rn(p.x, p.y), p.z), sum);
      weights = __fadd_rn(weights, weight);
    }
  out[y * width + x] = __fdiv_rn(sum, weights);
}

// Finds edges of the blurred image. One gather instruction reads four neighbours.
__global__ void edges(Texture blurred, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float4 q = gather2d(blurred, (float)(x + 1), (float)(y + 1));
  const float a = __fadd_rn(q.y, -q.w), b = __fadd_rn(q.z, -q.x);
  out[y * width + x] = __fsqrt_rn(__fmaf_rn(a, a, __fmul_rn(b, b)));
}

// Counts colours. The texture returns the bytes of the image unconverted.
__global__ void count(Texture image, uint* counts, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const uint4 p = tex2d_bytes(image, (float)x, (float)y);
  atomicAdd(counts + (p.x >> 6) + 4 * (p.y >> 6) + 16 * (p.z >> 6), 1u);
}
