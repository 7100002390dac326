#include "../shim.h"

constexpr int nodes_a_thread = 4;
constexpr int most_threads = 128;

struct Tree {
  float volatility, root;  // root: square root of the time per step
  float up, down;          // discounted probabilities of a step up and down
  int steps;
};

// Finds prices of European calls by a binomial tree, one call per CTA. A thread keeps `nodes_a_thread` neighbouring
// nodes in registers. In each round towards the root, the thread also reads the first node of the next thread.
__global__ void binomial_options(const float* prices, const float* strikes, float* values, Tree tree) {
  __shared__ float first[2][most_threads + 1];
  const int thread = threadIdx.x;
  const float price = prices[blockIdx.x];
  const float strike = strikes[blockIdx.x];
  float nodes[nodes_a_thread];
#pragma unroll
  for (int k = 0; k < nodes_a_thread; ++k) {
    const int ups = thread * nodes_a_thread + k;
    const float end = price * __expf(tree.volatility * tree.root * (2.0f * ups - tree.steps));
    nodes[k] = ups <= tree.steps ? fmaxf(end - strike, 0.0f) : 0.0f;
  }
  if (thread == 0) first[0][blockDim.x] = first[1][blockDim.x] = 0.0f;
  for (int step = 0; step < tree.steps; ++step) {
    float* shared = first[step & 1];
    shared[thread] = nodes[0];
    __syncthreads();
    const float beside = shared[thread + 1];
#pragma unroll
    for (int k = 0; k < nodes_a_thread - 1; ++k) nodes[k] = tree.up * nodes[k + 1] + tree.down * nodes[k];
    nodes[nodes_a_thread - 1] = tree.up * beside + tree.down * nodes[nodes_a_thread - 1];
  }
  if (thread == 0) values[blockIdx.x] = nodes[0];
}
