#include "../shim.h"

// Each CTA copies its elements above a threshold, in their order, to the front of its segment of `kept`. A warp vote
// gives the index of such an element within the warp, and the counts of earlier warps give its index within the CTA.
// Each CTA also writes how many elements it has copied. The rest of the CTA's segment stays unchanged.
__global__ void compact(const int* input, int* kept, unsigned int* kept_count, int n, int threshold) {
  __shared__ unsigned int warp_count[16];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int lane = threadIdx.x % 32;
  const unsigned int warp = threadIdx.x / 32;
  const int value = i < n ? input[i] : threshold;
  const bool keep = value > threshold;
  const unsigned int votes = __ballot_sync(0xffffffffu, keep);
  if (lane == 0) warp_count[warp] = __popc(votes);
  const int total = __syncthreads_count(keep);
  unsigned int place = __popc(votes & ((1u << lane) - 1));
  for (unsigned int w = 0; w < warp; ++w) place += warp_count[w];
  if (keep) kept[blockIdx.x * blockDim.x + place] = value;
  if (threadIdx.x == 0) kept_count[blockIdx.x] = total;
  if (__any_sync(0xffffffffu, value == 0x7fffffff) && lane == 0) kept_count[blockIdx.x] = 0xffffffffu;
}
