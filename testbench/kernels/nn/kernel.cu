#include "../shim.h"

struct __attribute__((aligned(8))) Place {
  float latitude;
  float longitude;
};

// Finds the record nearest to a place. Packs distance and index into one 64-bit key: bit patterns of positive floats
// are ordered as their values, so the smallest key has the smallest distance. Takes the minimum first in the CTA, then
// over all CTAs by an atomic.
__global__ void nearest(const Place* records, float* distances, unsigned long long* best, int count,
                        Place target) {
  __shared__ unsigned long long keys[192];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long key = ~0ull;
  if (i < count) {
    const Place record = records[i];
    const float dx = record.latitude - target.latitude;
    const float dy = record.longitude - target.longitude;
    const float distance = __fsqrt_rn(__fmaf_rn(dx, dx, __fmul_rn(dy, dy)));
    distances[i] = distance;
    key = ((unsigned long long)(unsigned int)__float_as_int(distance) << 32) | (unsigned int)i;
  }
  keys[threadIdx.x] = key;
  __syncthreads();
  for (unsigned int left = blockDim.x; left > 1;) {
    const unsigned int half = (left + 1) / 2;
    if (threadIdx.x + half < left) {
      const unsigned long long other = keys[threadIdx.x + half];
      if (other < keys[threadIdx.x]) keys[threadIdx.x] = other;
    }
    left = half;
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicMin(best, keys[0]);
}
