#include "../shim.h"

constexpr int bins = 256;

// Counts byte values. Every CTA counts in shared memory by atomics, then adds its bins to the result.
__global__ void histogram(const unsigned int* words, unsigned int* counts, int word_count) {
  __shared__ unsigned int local[bins];
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) local[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < word_count; i += gridDim.x * blockDim.x) {
    const unsigned int word = words[i];
    atomicAdd(&local[word & 0xff], 1u);
    atomicAdd(&local[(word >> 8) & 0xff], 1u);
    atomicAdd(&local[(word >> 16) & 0xff], 1u);
    atomicAdd(&local[word >> 24], 1u);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    if (local[bin] != 0) atomicAdd(&counts[bin], local[bin]);
  }
}
