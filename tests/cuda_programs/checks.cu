// Launches with faults, which the checks of heddle exec must find. The second launch has a race, the third
// writes past the end of a heap block, the fifth reads this block after free. If the program has an argument,
// the last launch uses a buffer after cudaFree.
#include <cstdio>

#include "check.h"

__global__ void add_one(int* words) { words[threadIdx.x] += 1; }
__global__ void last_writes(int* words) {
  const int value = words[0];
  if (threadIdx.x == 40) words[0] = value + 1;
  words[1 + threadIdx.x] = value;
}
__global__ void fill(int** block, int count) {
  if (threadIdx.x != 0) return;
  int* const taken = static_cast<int*>(malloc(64));
  for (int i = 0; i < count; ++i) taken[i] = i;
  *block = taken;
}
__global__ void give_back(int** block) { free(*block); }
__global__ void read(int** block, int* words) { words[threadIdx.x] = (*block)[threadIdx.x]; }

int main(int argc, char**) {
  int *words = nullptr, **block = nullptr;
  MUST(cudaMalloc(&words, 4096));
  MUST(cudaMalloc(&block, sizeof *block));
  MUST(cudaMemset(words, 0, 4096));
  add_one<<<1, 64>>>(words);
  last_writes<<<1, 64>>>(words);
  fill<<<1, 32>>>(block, 17);
  give_back<<<1, 1>>>(block);
  read<<<1, 16>>>(block, words);
  add_one<<<1, 64>>>(words);
  MUST(cudaDeviceSynchronize());
  if (argc > 1) {
    MUST(cudaFree(words));
    int* other = nullptr;
    MUST(cudaMalloc(&other, 4096));
    add_one<<<1, 64>>>(words);
    std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
  }
  std::puts("done");
}
