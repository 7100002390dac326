#include "../shim.h"

// Exclusive prefix sums. Each CTA scans 4 elements per thread (read as vectors), with shuffles inside warps. A second
// launch of one CTA scans the CTAs' totals, and a third launch adds these to the CTAs' elements.
__device__ __noinline__ unsigned int scan_block(unsigned int value, unsigned int* warp_sums) {
  const unsigned int lane = threadIdx.x % 32;
  const unsigned int warp = threadIdx.x / 32;
  unsigned int sum = value;
  for (unsigned int delta = 1; delta < 32; delta *= 2) {
    const unsigned int below = __shfl_up_sync(0xffffffffu, sum, delta);
    if (lane >= delta) sum += below;
  }
  if (lane == 31) warp_sums[warp] = sum;
  __syncthreads();
  unsigned int before = 0;
  for (unsigned int w = 0; w < warp; ++w) before += warp_sums[w];
  return before + sum;
}

__global__ void scan_blocks(const uint4* input, uint4* output, unsigned int* block_sums, int vectors) {
  __shared__ unsigned int warp_sums[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 v = make_uint4(0, 0, 0, 0);
  if (i < vectors) v = input[i];
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  const unsigned int inclusive = scan_block(v.w, warp_sums);
  const unsigned int before = inclusive - v.w;
  if (i < vectors) output[i] = make_uint4(before, before + v.x, before + v.y, before + v.z);
  if (threadIdx.x == blockDim.x - 1) block_sums[blockIdx.x] = inclusive;
}

__global__ void scan_sums(unsigned int* block_sums, int blocks) {
  __shared__ unsigned int warp_sums[32];
  const int t = threadIdx.x;
  const unsigned int own = t < blocks ? block_sums[t] : 0;
  const unsigned int inclusive = scan_block(own, warp_sums);
  if (t < blocks) block_sums[t] = inclusive - own;
}

__global__ void scan_add(uint4* output, const unsigned int* block_sums, int vectors) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= vectors) return;
  const unsigned int before = block_sums[blockIdx.x];
  uint4 v = output[i];
  v.x += before;
  v.y += before;
  v.z += before;
  v.w += before;
  output[i] = v;
}
