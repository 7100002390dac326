#include "../shim.h"

// For each query, counts the nodes of a binary search tree whose keys are in [low, high]. The depth-first search has
// its stack in local memory. Node i has the children 2 i + 1 and 2 i + 2. tree_build writes the keys of a complete
// tree.
__global__ void tree_build(int* keys, int nodes, int depth, int spacing) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  const int level = 31 - __clz(node + 1);
  const int place = node + 1 - (1 << level);
  const int rank = ((2 * place + 1) << (depth - 1 - level)) - 1;
  keys[node] = rank * spacing;
}

__global__ void tree_search(const int* keys, const int* lows, const int* spans, unsigned int* counts,
                            long long* sums, int nodes, int queries) {
  const int query = blockIdx.x * blockDim.x + threadIdx.x;
  if (query >= queries) return;
  const int low = lows[query];
  const int high = low + spans[query];
  int stack[24];
  int top = 0;
  unsigned int count = 0;
  long long sum = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int node = stack[--top];
    const int key = keys[node];
    if (key >= low && key <= high) {
      ++count;
      sum += (long long)key * key;
    }
    if (key > low && 2 * node + 1 < nodes) stack[top++] = 2 * node + 1;
    if (key < high && 2 * node + 2 < nodes) stack[top++] = 2 * node + 2;
  }
  counts[query] = count;
  sums[query] = sum;
}
