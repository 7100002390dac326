// SPDX-License-Identifier: Apache-2.0
// Breadth-first search: the host launches kernels in a loop until a launch leaves the flag `again` 0. This is an
// ordinary CUDA program, which `heddle exec` runs (docs/programs.md):
//
//   scripts/heddle-cc examples/program/bfs.cu -o bfs    (or nvcc -cudart shared)
//   heddle exec --gpu fermi-gtx480 -- ./bfs 200
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define MUST(call)                                                                       \
  do {                                                                                   \
    const cudaError_t status = call;                                                     \
    if (status != cudaSuccess) {                                                         \
      std::printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(status));     \
      std::exit(2);                                                                      \
    }                                                                                    \
  } while (0)

__global__ void expand(const int* first, const int* edges, int* cost, int level, int nodes, int* again) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || cost[node] != level) return;
  for (int e = first[node]; e < first[node + 1]; ++e)
    if (cost[edges[e]] < 0) {
      cost[edges[e]] = level + 1;
      *again = 1;
    }
}

int main(int argc, char** argv) {
  const int nodes = argc > 1 ? std::atoi(argv[1]) : 300;
  std::vector<int> first(nodes + 1), edges, cost(nodes, -1), expected(nodes, -1);
  for (int n = 0; n < nodes; ++n) {
    first[n] = static_cast<int>(edges.size());
    for (const int to : {2 * n + 1, 2 * n + 2, (7 * n + 3) % nodes})
      if (to < nodes) edges.push_back(to);
  }
  first[nodes] = static_cast<int>(edges.size());
  cost[0] = expected[0] = 0;
  for (int level = 0, more = 1; more; ++level) {
    more = 0;
    for (int n = 0; n < nodes; ++n)
      if (expected[n] == level)
        for (int e = first[n]; e < first[n + 1]; ++e)
          if (expected[edges[e]] < 0) expected[edges[e]] = level + 1, more = 1;
  }
  int *d_first, *d_edges, *d_cost, *d_again;
  MUST(cudaMalloc(&d_first, first.size() * sizeof(int)));
  MUST(cudaMalloc(&d_edges, edges.size() * sizeof(int)));
  MUST(cudaMalloc(&d_cost, cost.size() * sizeof(int)));
  MUST(cudaMalloc(&d_again, sizeof(int)));
  MUST(cudaMemcpy(d_first, first.data(), first.size() * sizeof(int), cudaMemcpyHostToDevice));
  MUST(cudaMemcpy(d_edges, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice));
  MUST(cudaMemcpy(d_cost, cost.data(), cost.size() * sizeof(int), cudaMemcpyHostToDevice));
  int again = 1;
  for (int level = 0; again; ++level) {
    again = 0;
    MUST(cudaMemcpy(d_again, &again, sizeof again, cudaMemcpyHostToDevice));
    expand<<<(nodes + 63) / 64, 64>>>(d_first, d_edges, d_cost, level, nodes, d_again);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(&again, d_again, sizeof again, cudaMemcpyDeviceToHost));
  }
  MUST(cudaMemcpy(cost.data(), d_cost, cost.size() * sizeof(int), cudaMemcpyDeviceToHost));
  for (int* p : {d_first, d_edges, d_cost, d_again}) MUST(cudaFree(p));
  long wrong = 0;
  for (int n = 0; n < nodes; ++n) wrong += cost[n] != expected[n];
  std::printf("%ld wrong of %d\n", wrong, nodes);
  return wrong != 0;
}
