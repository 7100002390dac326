#include "../shim.h"

// Smooths an 8-bit image by 3 x 3 weights in 16-bit integer arithmetic, then computes the strength of edges
// (Sobel) as 16-bit numbers.
__constant__ unsigned short smooth_weight[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};

__global__ void smooth(const unsigned char* image, unsigned char* smoothed, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned short sum = 8;
  for (int dy = -1; dy <= 1; ++dy) {
    const int row = min(max(y + dy, 0), height - 1);
    for (int dx = -1; dx <= 1; ++dx) {
      const int column = min(max(x + dx, 0), width - 1);
      sum += smooth_weight[(dy + 1) * 3 + dx + 1] * image[row * width + column];
    }
  }
  smoothed[y * width + x] = (unsigned char)(sum >> 4);
}

__global__ void edges(const unsigned char* image, unsigned short* strength, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    strength[y * width + x] = 0;
    return;
  }
  const unsigned char* above = image + (y - 1) * width + x;
  const unsigned char* here = above + width;
  const unsigned char* below = here + width;
  const short horizontal = (above[1] + 2 * here[1] + below[1]) - (above[-1] + 2 * here[-1] + below[-1]);
  const short vertical = (below[-1] + 2 * below[0] + below[1]) - (above[-1] + 2 * above[0] + above[1]);
  strength[y * width + x] =
      (unsigned short)((horizontal < 0 ? -horizontal : horizontal) + (vertical < 0 ? -vertical : vertical));
}
