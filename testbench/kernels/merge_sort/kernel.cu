#include "../shim.h"

constexpr int tile = 128;

// Returns how many keys of the sorted run `run` precede `key`, a key of another run. `after`: true if `run` is the
// first of both runs; its keys that are equal to `key` then also precede `key`.
static __device__ __forceinline__ int rank(const uint* run, int count, uint key, bool after) {
  int low = 0, high = count;
  while (low < high) {
    const int middle = (low + high) >> 1;
    if (run[middle] < key || (after && run[middle] == key))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Sorts tiles by merging sorted runs of 1, 2, 4 ... keys. A key's rank in the other run determines the key's new
// position. With each key, the kernel moves the key's origin: its index in the unsorted input.
__global__ void sort_tiles(const uint* keys, uint* sorted, uint* origins) {
  __shared__ uint key[2][tile];
  __shared__ uint origin[2][tile];
  const int thread = threadIdx.x, place = tile * blockIdx.x + thread;
  key[0][thread] = keys[place];
  origin[0][thread] = (uint)place;
  int from = 0;
  for (int width = 1; width < tile; width *= 2, from ^= 1) {
    __syncthreads();
    const int run = thread / width;
    const int to = (run & ~1) * width + thread % width + rank(key[from] + (run ^ 1) * width, width, key[from][thread], run & 1);
    key[from ^ 1][to] = key[from][thread];
    origin[from ^ 1][to] = origin[from][thread];
  }
  __syncthreads();
  sorted[place] = key[from][thread];
  origins[place] = origin[from][thread];
}

// Merges pairs of runs in global memory.
__global__ void merge_runs(const uint* keys, const uint* origins, uint* merged, uint* merged_origins, int width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int run = i / width;
  const uint key = keys[i];
  const int to = (run & ~1) * width + i % width + rank(keys + (run ^ 1) * width, width, key, run & 1);
  merged[to] = key;
  merged_origins[to] = origins[i];
}
