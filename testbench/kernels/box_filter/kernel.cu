#include "../shim.h"

// Replaces each pixel by the mean of the pixels in a square around it, by running sums. A thread of the first kernel
// sums along a row, of the second kernel along a column. Outside of the image, edge pixels repeat.

__global__ void along_rows(const uchar4* from, uint4* to, int width, int height, int radius) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  uint4 sum = make_uint4(0, 0, 0, 0);
  for (int x = -radius; x < width + radius; ++x) {
    const uchar4 next = from[y * width + min(max(x, 0), width - 1)];
    sum.x += next.x, sum.y += next.y, sum.z += next.z, sum.w += next.w;
    const int middle = x - radius;
    if (middle < 0) continue;
    to[y * width + middle] = sum;
    const uchar4 last = from[y * width + max(middle - radius, 0)];
    sum.x -= last.x, sum.y -= last.y, sum.z -= last.z, sum.w -= last.w;
  }
}

__global__ void along_columns(const uint4* from, uchar4* to, int width, int height, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  const uint pixels = (2 * radius + 1) * (2 * radius + 1);
  uint4 sum = make_uint4(0, 0, 0, 0);
  for (int y = -radius; y < height + radius; ++y) {
    const uint4 next = from[min(max(y, 0), height - 1) * width + x];
    sum.x += next.x, sum.y += next.y, sum.z += next.z, sum.w += next.w;
    const int middle = y - radius;
    if (middle < 0) continue;
    to[middle * width + x] = make_uchar4((uchar)(sum.x / pixels), (uchar)(sum.y / pixels), (uchar)(sum.z / pixels), (uchar)(sum.w / pixels));
    const uint4 last = from[max(middle - radius, 0) * width + x];
    sum.x -= last.x, sum.y -= last.y, sum.z -= last.z, sum.w -= last.w;
  }
}
