#include "../shim.h"

// A picture's 5/3 wavelets in whole numbers (reversible lifting), level by level: a CTA stages a strip with its rim in shared
// memory; odd samples become details by their neighbours' mean, even ones are then smoothed by the details. Beyond the rim
// a picture goes on as in a mirror.

constexpr int strip = 64;

static __device__ __forceinline__ int mirrored(int i, int count) {
  if (i < 0) i = -i;
  return i >= count ? 2 * count - 2 - i : i;
}

// One line of `count` samples that lie `stride` apart, and `lines` of them. Approximations go to the first half of the line, details to the second.
__global__ void lift(const int* from, int* to, int count, int stride, int lines, int line_stride) {
  __shared__ int samples[strip + 4];
  const int first = blockIdx.x * strip, line = blockIdx.y;
  if (line >= lines) return;
  for (int i = threadIdx.x; i < strip + 4; i += blockDim.x)
    if (first + i - 2 < count + 2) samples[i] = from[line * line_stride + mirrored(first + i - 2, count) * stride];
  __syncthreads();
  const int i = 2 * threadIdx.x + 2;  // the thread's even sample; the details on both sides of it
  const int before = samples[i - 1] - ((samples[i - 2] + samples[i]) >> 1);
  const int after = samples[i + 1] - ((samples[i] + samples[i + 2]) >> 1);
  const int place = first / 2 + threadIdx.x;
  if (place >= count / 2) return;
  to[line * line_stride + place * stride] = samples[i] + ((before + after + 2) >> 2);
  to[line * line_stride + (count / 2 + place) * stride] = after;
}
