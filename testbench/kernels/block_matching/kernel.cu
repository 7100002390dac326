#include "../textures.h"

// Estimates motion between two frames. For every block of 4x4 pixels and every offset, block_sads sums the absolute
// differences to the previous frame. This frame is a texture that repeats its edge pixels. merge_sads then adds these
// sums for blocks of 8x8 and 16x16 pixels.

// Sums the absolute differences of blocks of 4x4 pixels to the frame `before`. A CTA has one block of 16x16 pixels.
__global__ void block_sads(const uchar* frame, Texture before, ushort* sads, int width, int range) {
  __shared__ uchar pixels[256];
  const int left = 16 * blockIdx.x, top = 16 * blockIdx.y;
  for (int i = threadIdx.x; i < 256; i += blockDim.x) pixels[i] = frame[(top + i / 16) * width + left + i % 16];
  __syncthreads();
  const int side = 2 * range + 1, offsets = side * side;
  const int macroblock = blockIdx.y * gridDim.x + blockIdx.x;
  for (int offset = threadIdx.x; offset < offsets; offset += blockDim.x) {
    const int dx = offset % side - range, dy = offset / side - range;
#pragma unroll 1
    for (int block = 0; block < 16; ++block) {
      const int x = 4 * (block & 3), y = 4 * (block >> 2);
      int sum = 0;
#pragma unroll
      for (int j = 0; j < 4; ++j)
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const uint there = tex2d_bytes(before, (float)(left + x + i + dx), (float)(top + y + j + dy)).x;
          const int apart = (int)pixels[16 * (y + j) + x + i] - (int)there;
          sum += apart < 0 ? -apart : apart;
        }
      sads[(16 * macroblock + block) * offsets + offset] = (ushort)sum;
    }
  }
}

// Adds the sums of four neighbouring blocks. A macroblock consists of `side` x `side` of the resulting blocks.
__global__ void merge_sads(const ushort* finer, ushort* coarser, int side, int offsets, int blocks) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= blocks * offsets) return;
  const int block = i / offsets, offset = i % offsets;
  const int macroblock = block / (side * side), place = block % (side * side);
  const int first = 4 * side * side * macroblock + 4 * side * (place / side) + 2 * (place % side);
  uint sum = 0;
  for (int part = 0; part < 4; ++part)
    sum += finer[(first + (part & 1) + 2 * side * (part >> 1)) * offsets + offset];
  coarser[i] = (ushort)sum;
}

// For each macroblock, finds the offset with the smallest sum; of equal sums, the first. One macroblock per CTA.
__global__ void best_offsets(const ushort* sads, uint* best, int offsets) {
  __shared__ uint least;
  if (threadIdx.x == 0) least = 0xffffffffu;
  __syncthreads();
  uint own = 0xffffffffu;
  for (int offset = threadIdx.x; offset < offsets; offset += blockDim.x)
    own = min(own, (uint)sads[blockIdx.x * offsets + offset] << 16 | (uint)offset);
  atomicMin(&least, own);
  __syncthreads();
  if (threadIdx.x == 0) best[blockIdx.x] = least;
}
