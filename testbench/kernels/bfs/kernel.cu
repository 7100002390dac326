#include "../shim.h"

// Finds the levels of a breadth-first search, one level per launch. Node i's edges are edges[first[i]] to
// edges[first[i] + degree[i] - 1]. An unvisited node has level -1.
__global__ void bfs_start(int* levels, int nodes, int source) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nodes; i += gridDim.x * blockDim.x) {
    levels[i] = i == source ? 0 : -1;
  }
}

// Gives every unvisited neighbour of this level's nodes the next level. Threads that find the same node write
// the same value.
__global__ void bfs_expand(const unsigned int* first, const unsigned int* degree, const unsigned int* edges,
                           int* levels, unsigned int* found, int nodes, int level) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || levels[node] != level) return;
  const unsigned int begin = first[node];
  const unsigned int end = begin + degree[node];
  for (unsigned int e = begin; e < end; ++e) {
    const unsigned int neighbour = edges[e];
    if (levels[neighbour] == -1) {
      levels[neighbour] = level + 1;
      *found = 1;
    }
  }
}
