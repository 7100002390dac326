// Tests managed memory: a list that the host builds and the device changes, managed variables that host and device
// access by name, mapped host memory.
#include "check.h"

struct Node {
  int value;
  Node* next;
};

__managed__ int total = 100;
__managed__ int factors[3];

__global__ void walk(Node* list, int* mapped) {
  int count = 0;
  for (Node* n = list; n; n = n->next) {
    total += n->value;
    n->value *= factors[1];
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
  total += 1;
  factors[1] = 10;
  walk<<<1, 1>>>(list, on_device);
  MUST(cudaDeviceSynchronize());
  int copied = 0;
  MUST(cudaMemcpyFromSymbol(&copied, total, sizeof copied));
  long wrong = (total != 101 + nodes * (nodes - 1) / 2) + (copied != total) + (*mapped != nodes);
  int i = nodes;
  while (list) {
    wrong += list->value != 10 * --i;
    Node* const next = list->next;
    MUST(cudaFree(list));
    list = next;
  }
  MUST(cudaFreeHost(mapped));
  return report(wrong, nodes + 3);
}
