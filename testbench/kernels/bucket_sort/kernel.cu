#include "../shim.h"

constexpr int buckets = 32;
constexpr int room = 256;  // capacity of a bucket, in keys

// Combines two sorts: distributes keys into buckets by pivots, then sorts each bucket. A key's position
// within its bucket depends on the order of atomics; the sorted result does not. Each row of CTAs sorts one
// list.
__global__ void fill_buckets(const uint* keys, const uint* pivots, uint* filled, uint* counts, int count) {
  __shared__ uint above[buckets];
  if (threadIdx.x < buckets - 1) above[threadIdx.x] = pivots[threadIdx.x];
  if (threadIdx.x == buckets - 1) above[buckets - 1] = 0xffffffffu;
  __syncthreads();
  keys += count * blockIdx.y, filled += room * buckets * blockIdx.y, counts += buckets * blockIdx.y;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const uint key = keys[i];
    int bucket = 0;
#pragma unroll
    for (int half = buckets / 2; half > 0; half >>= 1)
      if (key > above[bucket + half - 1]) bucket += half;
    const uint place = atomicAdd(counts + bucket, 1u);
    filled[room * bucket + place] = key;
  }
}

// Sorts one bucket per CTA: bitonic over the next power of two, padded with the highest key.
__global__ void sort_buckets(const uint* filled, const uint* counts, uint* sorted, int listed) {
  __shared__ uint key[room];
  __shared__ uint first;
  const int bucket = blockIdx.x;
  filled += room * buckets * blockIdx.y, counts += buckets * blockIdx.y, sorted += listed * blockIdx.y;
  const uint count = counts[bucket];
  if (threadIdx.x == 0) {
    uint sum = 0;
    for (int b = 0; b < bucket; ++b) sum += counts[b];
    first = sum;
  }
  int size = 2;
  while (size < (int)count) size *= 2;
  for (int i = threadIdx.x; i < size; i += blockDim.x) key[i] = i < (int)count ? filled[room * bucket + i] : 0xffffffffu;
  for (int run = 2; run <= size; run *= 2)
    for (int stride = run / 2; stride > 0; stride /= 2) {
      __syncthreads();
      for (int i = threadIdx.x; i < size / 2; i += blockDim.x) {
        const int low = 2 * i - (i & (stride - 1)), high = low + stride;
        const uint a = key[low], b = key[high];
        if ((a > b) == ((low & run) == 0)) {
          key[low] = b;
          key[high] = a;
        }
      }
    }
  __syncthreads();
  for (int i = threadIdx.x; i < (int)count; i += blockDim.x) sorted[first + i] = key[i];
}
