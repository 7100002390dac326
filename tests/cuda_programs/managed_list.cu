// Managed memory: a list that the host builds and the device changes, a managed variable (of nvcc: clang has none),
// mapped host memory.
#include "check.h"

struct Node {
  int value;
  Node* next;
};

#ifdef __clang__
__device__ int total = 101;
#else
__managed__ int total = 100;
#endif

__global__ void walk(Node* list, int* mapped) {
  int count = 0;
  for (Node* n = list; n; n = n->next) {
    total += n->value;
    n->value *= 10;
    ++count;
  }
  *mapped = count;
}

int main() {
  const int nodes = 20;
  Node* list = nullptr;
  for (int i = 0; i < nodes; ++i) {
    Node* node;
    MUST(cudaMallocManaged(&node, sizeof(Node)));
    node->value = i;
    node->next = list;
    list = node;
  }
  int *mapped, *on_device;
  MUST(cudaHostAlloc(&mapped, sizeof(int), cudaHostAllocMapped));
  MUST(cudaHostGetDevicePointer(&on_device, mapped, 0));
  *mapped = 0;
#ifndef __clang__
  total += 1;
#endif
  walk<<<1, 1>>>(list, on_device);
  MUST(cudaDeviceSynchronize());
  int sum = 0;
#ifdef __clang__
  MUST(cudaMemcpyFromSymbol(&sum, total, sizeof sum));
#else
  sum = total;
#endif
  long wrong = (sum != 101 + nodes * (nodes - 1) / 2) + (*mapped != nodes);
  int i = nodes;
  while (list) {
    wrong += list->value != 10 * --i;
    Node* const next = list->next;
    MUST(cudaFree(list));
    list = next;
  }
  MUST(cudaFreeHost(mapped));
  return report(wrong, nodes + 2);
}
