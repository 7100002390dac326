#include "../shim.h"

// The 5/3 wavelet transform of a picture in integers (reversible lifting), level by level. A CTA loads a strip and its
// edges into shared memory. Each odd sample minus the mean of its neighbours becomes a detail. Each even sample is then
// smoothed with the details on both sides. Outside of the picture, samples are mirrored.

constexpr int strip = 64;

static __device__ __forceinline__ int mirrored(int i, int count) {
  if (i < 0) i = -i;
  return i >= count ? 2 * count - 2 - i : i;
}

// Transforms `lines` lines of `count` samples that are `stride` apart. Approximations go to the first half of
// the line, details to the second.
__global__ void lift(const int* from, int* to, int count, int stride, int lines, int line_stride) {
  __shared__ int samples[strip + 4];
  const int first = blockIdx.x * strip, line = blockIdx.y;
  if (line >= lines) return;
  for (int i = threadIdx.x; i < strip + 4; i += blockDim.x)
    if (first + i - 2 < count + 2) samples[i] = from[line * line_stride + mirrored(first + i - 2, count) * stride];
  __syncthreads();
  const int i = 2 * threadIdx.x + 2;  // the thread's even sample; `before` and `after` are the details on both sides
  const int before = samples[i - 1] - ((samples[i - 2] + samples[i]) >> 1);
  const int after = samples[i + 1] - ((samples[i] + samples[i + 2]) >> 1);
  const int place = first / 2 + threadIdx.x;
  if (place >= count / 2) return;
  to[line * line_stride + place * stride] = samples[i] + ((before + after + 2) >> 2);
  to[line * line_stride + (count / 2 + place) * stride] = after;
}
