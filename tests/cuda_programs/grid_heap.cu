// Tests a cooperative launch whose CTAs wait for each other, memory from the device's heap that stays valid between
// launches, and limits that the program sets.
#include "check.h"

#include <cooperative_groups.h>

__global__ void settle(int* values, int* sums, int rounds) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const int i = static_cast<int>(grid.thread_rank()), n = static_cast<int>(gridDim.x * blockDim.x);
  for (int round = 0; round < rounds; ++round) {
    atomicAdd(sums + round, values[i]);
    grid.sync();
    const int sum = *static_cast<volatile int*>(sums + round), neighbour = values[(i + 1) % n];
    grid.sync();
    values[i] = neighbour + (sum & 7);
    grid.sync();
  }
}

struct Node {
  Node* next;
  int value;
};

__global__ void grow(Node** lists, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k <= i % 5; ++k) {
    Node* const node = new Node;
    node->next = lists[i];
    node->value = i + k;
    lists[i] = node;
  }
}

__global__ void fold(Node** lists, int* sums, int n) {
  const int i = n - 1 - static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < 0) return;
  int sum = 0;
  for (Node* node = lists[i]; node;) {
    Node* const next = node->next;
    sum = 3 * sum + node->value;
    delete node;
    node = next;
  }
  lists[i] = nullptr;
  sums[i] = sum;
}

__global__ void take(int* taken, size_t bytes) {
  int* const memory = static_cast<int*>(malloc(bytes));
  if (memory) *static_cast<volatile int*>(memory) = 1;  // volatile, because compilers remove stores that no code uses
  *taken = memory != nullptr;
  free(memory);
}

__device__ __noinline__ int deep(int n) { return n <= 0 ? 1 : deep(n - 1) + n % 3; }
__global__ void dive(int* result, int depth) { *result = deep(depth); }

int main() {
  const int blocks = 4, threads = 48, n = blocks * threads, rounds = 4;
  long wrong = 0, all = 0;
  const auto expect = [&](bool right) {
    wrong += !right;
    ++all;
  };
  MUST(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  MUST(cudaDeviceSetLimit(cudaLimitStackSize, 64 << 10));

  int start[n];
  for (int i = 0; i < n; ++i) start[i] = i * 37 % 101;
  int *values, *totals;
  MUST(cudaMalloc(&values, sizeof start));
  MUST(cudaMalloc(&totals, rounds * sizeof(int)));
  MUST(cudaMemcpy(values, start, sizeof start, cudaMemcpyHostToDevice));
  MUST(cudaMemset(totals, 0, rounds * sizeof(int)));
  int how_many = rounds;
  void* arguments[] = {&values, &totals, &how_many};
  MUST(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(settle), dim3(blocks), dim3(threads), arguments, 0, nullptr));
  for (int round = 0; round < rounds; ++round) {
    int sum = 0, after[n];
    for (int i = 0; i < n; ++i) sum += start[i];
    for (int i = 0; i < n; ++i) after[i] = start[(i + 1) % n] + (sum & 7);
    for (int i = 0; i < n; ++i) start[i] = after[i];
  }
  int found[n];
  MUST(cudaMemcpy(found, values, sizeof found, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) expect(found[i] == start[i]);

  Node** lists;
  MUST(cudaMalloc(&lists, n * sizeof *lists));
  MUST(cudaMemset(lists, 0, n * sizeof *lists));
  for (int round = 0; round < 2; ++round) {
    grow<<<blocks, threads>>>(lists, n);
    fold<<<blocks, threads>>>(lists, values, n);
    MUST(cudaMemcpy(found, values, sizeof found, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) {
      int sum = 0;
      for (int k = i % 5; k >= 0; --k) sum = 3 * sum + i + k;
      expect(found[i] == sum);
    }
  }
  const size_t sizes[] = {size_t{400} << 10, size_t{4} << 20};
  for (const size_t bytes : sizes) {
    take<<<1, 1>>>(values, bytes);
    MUST(cudaMemcpy(found, values, sizeof(int), cudaMemcpyDeviceToHost));
    expect(found[0] == (bytes < (1 << 20)));
  }
  dive<<<1, 1>>>(values, 500);
  MUST(cudaMemcpy(found, values, sizeof(int), cudaMemcpyDeviceToHost));
  int depth = 1;
  for (int k = 1; k <= 500; ++k) depth += k % 3;
  expect(found[0] == depth);
  return report(wrong, all);
}
