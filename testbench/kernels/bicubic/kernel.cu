#include "../textures.h"

// Enlarges an image by cubic interpolation in three ways: B-splines of sixteen texels, the same B-splines by
// four filtered look-ups, and Catmull-Rom splines, which pass through the texels.

struct Weights {
  float w[4];
};

static __device__ __forceinline__ Weights b_spline(float a) {
  const float b = 1.0f - a;
  return {{b * b * b / 6.0f, (4.0f + 3.0f * a * a * (a - 2.0f)) / 6.0f, (4.0f + 3.0f * b * b * (b - 2.0f)) / 6.0f, a * a * a / 6.0f}};
}

static __device__ __forceinline__ Weights catmull_rom(float a) {
  return {{0.5f * a * (a * (2.0f - a) - 1.0f), 0.5f * (a * a * (3.0f * a - 5.0f) + 2.0f),
           0.5f * a * (a * (4.0f - 3.0f * a) + 1.0f), 0.5f * a * a * (a - 1.0f)}};
}

static __device__ __forceinline__ float sixteen(Texture image, float x, float y, Weights across, Weights down) {
  float sum = 0.0f;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    float row = 0.0f;
#pragma unroll
    for (int i = 0; i < 4; ++i) row += across.w[i] * tex2d(image, x + (float)(i - 1), y + (float)(j - 1)).x;
    sum += down.w[j] * row;
  }
  return sum;
}

// Computes where a pixel of the enlarged image lies in the small image, in texels from the middle of the first texel.
#define HEDDLE_PLACE                                                             \
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; \
  if (x >= width || y >= height) return;                                         \
  const float px = scale * (float)x, py = scale * (float)y;                      \
  const float left = floorf(px), top = floorf(py), a = px - left, b = py - top;

__global__ void enlarge(Texture image, float* out, int width, int height, float scale) {
  HEDDLE_PLACE
  out[y * width + x] = sixteen(image, left + 0.5f, top + 0.5f, b_spline(a), b_spline(b));
}

// A filtered look-up at a point between two texels replaces the weighted sum of these texels.
__global__ void enlarge_smoothed(Texture smooth, float* out, int width, int height, float scale) {
  HEDDLE_PLACE
  const Weights across = b_spline(a), down = b_spline(b);
  const float right = across.w[2] + across.w[3], below = down.w[2] + down.w[3];
  const float x0 = left - 0.5f + across.w[1] / (1.0f - right), x1 = left + 1.5f + across.w[3] / right;
  const float y0 = top - 0.5f + down.w[1] / (1.0f - below), y1 = top + 1.5f + down.w[3] / below;
  const float above = (1.0f - right) * tex2d(smooth, x0, y0).x + right * tex2d(smooth, x1, y0).x;
  const float under = (1.0f - right) * tex2d(smooth, x0, y1).x + right * tex2d(smooth, x1, y1).x;
  out[y * width + x] = (1.0f - below) * above + below * under;
}

__global__ void enlarge_through(Texture image, float* out, int width, int height, float scale) {
  HEDDLE_PLACE
  out[y * width + x] = sixteen(image, left + 0.5f, top + 0.5f, catmull_rom(a), catmull_rom(b));
}
