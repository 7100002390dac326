#include "../shim.h"

// Grid barrier, like grid_group::sync() of CUDA's headers. One thread per CTA adds to a word of the launch's
// workspace. CTA 0 adds so much that all CTAs together add 2^31. The word's top bit therefore changes when
// all CTAs have arrived.
static __device__ void grid_sync() {
  uint high, low;
  asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
  asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
  __syncthreads();
  if (threadIdx.x == 0) {
    uint* const arrived = (uint*)(__SIZE_TYPE__)((unsigned long long)high << 32 | low) + 1;
    if ((unsigned long long)high + low == 0) __builtin_trap();
    __threadfence();
    const uint before = atomicAdd(arrived, blockIdx.x == 0 ? 0x80000001u - gridDim.x : 1u);
    while (((before ^ *(volatile uint*)arrived) & 0x80000000u) == 0) {
    }
    __threadfence();
  }
  __syncthreads();
}

// Returns the sum of one value per thread to all threads of the CTA.
static __device__ uint sum_of_block(uint value) {
  __shared__ uint sums[256];
  sums[threadIdx.x] = value;
  __syncthreads();
#pragma unroll 1
  for (uint reach = 128; reach > 0; reach /= 2) {
    if (threadIdx.x < reach && threadIdx.x + reach < blockDim.x)
      sums[threadIdx.x] += sums[threadIdx.x + reach];
    __syncthreads();
  }
  const uint sum = sums[0];
  __syncthreads();
  return sum;
}

// Executes all rounds in one launch. Every round sums all values, and changes each value by this sum.
__global__ void settle(uint* values, uint* partial, uint* totals, int count, int rounds) {
  const uint first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  for (int round = 0; round < rounds; ++round) {
    uint own = 0;
    for (uint i = first; i < (uint)count; i += step) own += values[i];
    const uint sum = sum_of_block(own);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
    grid_sync();
    uint total = 0;
    for (uint block = 0; block < gridDim.x; ++block) total += partial[block];
    if (first == 0) totals[round] = total;
    for (uint i = first; i < (uint)count; i += step) values[i] = (3 * values[i]) ^ ((total >> 3) + i);
    grid_sync();
  }
}
