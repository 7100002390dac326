#include "../shim.h"

// Sorts (key, value) pairs by key; their number is a power of two. Strides that fit into a CTA's 512 pairs
// are processed in shared memory. Each larger stride needs a launch.
constexpr unsigned int half_block = 256;

__device__ __forceinline__ void order(unsigned int& key_a, unsigned int& value_a, unsigned int& key_b,
                                      unsigned int& value_b, bool ascending) {
  if ((key_a > key_b) == ascending) {
    unsigned int swap = key_a;
    key_a = key_b;
    key_b = swap;
    swap = value_a;
    value_a = value_b;
    value_b = swap;
  }
}

// Merges sequences of each size from `first_size` to `last_size`, with strides of at most 256.
__global__ void bitonic_shared(uint2* pairs, unsigned int first_size, unsigned int last_size) {
  __shared__ unsigned int key[2 * half_block];
  __shared__ unsigned int value[2 * half_block];
  const unsigned int t = threadIdx.x;
  const unsigned int base = blockIdx.x * 2 * half_block;
  uint2 pair = pairs[base + t];
  key[t] = pair.x;
  value[t] = pair.y;
  pair = pairs[base + t + half_block];
  key[t + half_block] = pair.x;
  value[t + half_block] = pair.y;
  for (unsigned int size = first_size; size <= last_size; size *= 2) {
    const bool ascending = ((base + 2 * t - (t & (min(size / 2, half_block) - 1))) & size) == 0;
    for (unsigned int stride = min(size / 2, half_block); stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned int at = 2 * t - (t & (stride - 1));
      order(key[at], value[at], key[at + stride], value[at + stride], ascending);
    }
  }
  __syncthreads();
  pairs[base + t] = make_uint2(key[t], value[t]);
  pairs[base + t + half_block] = make_uint2(key[t + half_block], value[t + half_block]);
}

// Makes the exchanges between pairs `stride` apart, in the merge of sequences of `size`.
__global__ void bitonic_global(uint2* pairs, unsigned int size, unsigned int stride) {
  const unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int at = 2 * t - (t & (stride - 1));
  uint2 a = pairs[at];
  uint2 b = pairs[at + stride];
  order(a.x, a.y, b.x, b.y, (at & size) == 0);
  pairs[at] = a;
  pairs[at + stride] = b;
}
