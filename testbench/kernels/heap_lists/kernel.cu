#include "../shim.h"

extern "C" {
__device__ void* malloc(__SIZE_TYPE__ bytes);
__device__ void free(void* memory);
}
#ifndef __NVCC__  // nvcc defines them
__device__ void* operator new(__SIZE_TYPE__ bytes) { return malloc(bytes); }
__device__ void operator delete(void* memory) noexcept { free(memory); }
__device__ void operator delete(void* memory, __SIZE_TYPE__) noexcept { free(memory); }
#endif

struct Node {
  Node* next;
  uint value;
};

static __device__ uint next_number(uint& state) {
  state = 1664525u * state + 1013904223u;
  return state >> 16;
}

// Every thread inserts numbers into its own list, each number at the front of the list.
__global__ void grow(Node** lists, int count, int most, uint seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  uint state = seed + 977u * (uint)i;
  const uint numbers = next_number(state) % (uint)most;
  for (uint n = 0; n < numbers; ++n) {
    Node* const node = new Node;
    node->value = next_number(state);
    Node** at = lists + i;
    while (*at && (*at)->value < node->value) at = &(*at)->next;
    node->next = *at;
    *at = node;
  }
}

// Removes the odd numbers from each list, in a different thread than the one that built the list.
__global__ void prune(Node** lists, int count) {
  const int i = count - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < 0) return;
  for (Node** at = lists + i; *at;) {
    Node* const node = *at;
    if (node->value % 2 == 0) {
      at = &node->next;
      continue;
    }
    *at = node->next;
    delete node;
  }
}

// Copies each list into an array, its length first.
__global__ void pack(Node** lists, uint** arrays, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  uint length = 0;
  for (const Node* node = lists[i]; node; node = node->next) ++length;
  uint* const array = (uint*)malloc(sizeof(uint) * (length + 1));
  array[0] = length;
  uint at = 0;
  for (const Node* node = lists[i]; node; node = node->next) array[++at] = node->value;
  arrays[i] = array;
}

// Each thread computes a digest of an array, then frees the array. Another thread has allocated this array.
__global__ void digest(uint** arrays, uint* digests, int count) {
  const int i = count - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < 0) return;
  uint* const array = arrays[i];
  uint sum = array[0];
  for (uint n = 1; n <= array[0]; ++n) sum = 31u * sum + array[n];
  free(array);
  digests[i] = sum;
}

// Counts the free blocks: one thread allocates all of them and frees them again.
__global__ void exhaust(uint* left, uint bytes) {
  Node* taken = nullptr;
  uint blocks = 0;
  while (Node* const block = (Node*)malloc(bytes)) {
    block->next = taken;
    taken = block;
    ++blocks;
  }
  while (taken) {
    Node* const block = taken;
    taken = block->next;
    free(block);
  }
  *left = blocks;
}
