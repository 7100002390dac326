#include "../textures.h"

// Finds edges in a picture of bytes: sums the absolute horizontal and vertical gradients by Sobel's weights. One kernel
// makes nine texture look-ups per pixel. The other kernel loads a tile into shared memory. Each thread of this kernel
// computes four pixels, and stores them as one word.

static __device__ __forceinline__ uchar strength(int ul, int um, int ur, int ml, int mr, int ll, int lm, int lr, int scale) {
  const int across = ur + 2 * mr + lr - ul - 2 * ml - ll, down = ul + 2 * um + ur - ll - 2 * lm - lr;
  const int sum = (scale * ((across < 0 ? -across : across) + (down < 0 ? -down : down))) >> 4;
  return (uchar)min(sum, 255);
}

static __device__ __forceinline__ int pixel(Texture image, int x, int y) {
  return (int)tex2d_bytes(image, (float)x + 0.5f, (float)y + 0.5f).x;
}

__global__ void edges_by_look_ups(Texture image, uchar* out, int width, int height, int scale) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  out[y * width + x] = strength(pixel(image, x - 1, y - 1), pixel(image, x, y - 1), pixel(image, x + 1, y - 1),
                                pixel(image, x - 1, y), pixel(image, x + 1, y), pixel(image, x - 1, y + 1),
                                pixel(image, x, y + 1), pixel(image, x + 1, y + 1), scale);
}

// A CTA of 16 x 4 threads computes 64 x 4 pixels.
__global__ void edges_by_tiles(Texture image, uchar4* out, int width, int height, int scale) {
  __shared__ uchar tile[6][68];
  const int left = 64 * blockIdx.x, top = 4 * blockIdx.y;
  for (int y = threadIdx.y; y < 6; y += 4)
    for (int x = threadIdx.x; x < 66; x += 16) tile[y][x] = (uchar)pixel(image, left + x - 1, top + y - 1);
  __syncthreads();
  const int x = left + 4 * threadIdx.x, y = top + threadIdx.y;
  if (x >= width || y >= height) return;
  uchar done[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int c = 4 * threadIdx.x + i, r = threadIdx.y;
    done[i] = strength(tile[r][c], tile[r][c + 1], tile[r][c + 2], tile[r + 1][c], tile[r + 1][c + 2], tile[r + 2][c],
                       tile[r + 2][c + 1], tile[r + 2][c + 2], scale);
  }
  out[(y * width + x) / 4] = make_uchar4(done[0], done[1], done[2], done[3]);
}
