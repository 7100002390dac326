#include "../shim.h"

// Looks up keys and ranges of keys in a B+ tree. All nodes are full: node p of a level has the children p * `order` to
// p * `order` + `order` - 1 of the next level. Key i of a node is the smallest key below the node's child i. Nodes are
// stored level by level. A CTA processes one query at a time, and each thread compares one key of a node.

// Writes the keys of one level: key i is i * `below` * `spacing`. Below each key of this level are `below` records.
__global__ void btree_build(int* keys, int first_key, int count, int below, int spacing) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) keys[first_key + i] = i * below * spacing;
}

// Finds the largest leaf key that is at most `query`, and returns its position to all threads. A node has blockDim.x
// keys.
static __device__ int descend(const int* keys, int levels, int query, int* chosen) {
  const int order = blockDim.x;
  int place = 0;
  int first_key = 0;
  int nodes = 1;
  for (int level = 0; level < levels; ++level) {
    const int* node = keys + first_key + place * order;
    const int own = threadIdx.x;
    if (node[own] <= query && (own + 1 == order || node[own + 1] > query)) *chosen = own;
    __syncthreads();
    place = place * order + *chosen;
    __syncthreads();
    first_key += nodes * order;
    nodes *= order;
  }
  return place;
}

// Finds the record of each query's key; -1 if there is none.
__global__ void btree_find(const int* keys, const int* records, const int* queries, int* found, int count, int levels,
                           int leaves) {
  __shared__ int chosen;
  for (int i = blockIdx.x; i < count; i += gridDim.x) {
    const int query = queries[i];
    const int place = descend(keys, levels, query, &chosen);
    if (threadIdx.x == 0) found[i] = keys[leaves + place] == query ? records[place] : -1;
  }
}

// Counts the keys in [query, query + span] and adds their records.
__global__ void btree_range(const int* keys, const int* records, const int* queries, const int* spans, int* counts,
                            int* sums, int count, int levels, int leaves) {
  __shared__ int chosen;
  for (int i = blockIdx.x; i < count; i += gridDim.x) {
    const int low = queries[i];
    const int last = descend(keys, levels, low + spans[i], &chosen);
    int first = descend(keys, levels, low, &chosen);
    if (keys[leaves + first] < low) ++first;
    for (int at = first + threadIdx.x; at <= last; at += blockDim.x) {
      atomicAdd(&counts[i], 1);
      atomicAdd(&sums[i], records[at]);
    }
  }
}
