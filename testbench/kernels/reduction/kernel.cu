#include "../shim.h"

// Sums n integers. Each CTA adds elements in a grid-stride loop, then adds its threads' partial sums in dynamic shared
// memory. The last steps, in warp 0, need no barriers, because lanes run in lockstep and volatile accesses keep their
// order (the classic warp-synchronous idiom). A second launch with one CTA adds the sums of all CTAs.
__global__ void reduce(const unsigned int* input, unsigned int* sums, int n) {
  extern __shared__ unsigned int partial[];
  const unsigned int t = threadIdx.x;
  unsigned int sum = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += input[i];
  partial[t] = sum;
  __syncthreads();
  for (unsigned int width = blockDim.x / 2; width > 32; width /= 2) {
    if (t < width) partial[t] += partial[t + width];
    __syncthreads();
  }
  if (t < 32) {
    volatile unsigned int* lane = partial + t;
    lane[0] = lane[0] + lane[32];
    lane[0] = lane[0] + lane[16];
    lane[0] = lane[0] + lane[8];
    lane[0] = lane[0] + lane[4];
    lane[0] = lane[0] + lane[2];
    lane[0] = lane[0] + lane[1];
  }
  if (t == 0) sums[blockIdx.x] = partial[0];
}
