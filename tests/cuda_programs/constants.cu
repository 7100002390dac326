// Tests variables of the device: a constant that changes before each launch, a counter, addresses and sizes of symbols.
#include "check.h"

__constant__ float weights[4];
__device__ int counter = 5;
static __device__ float table[64];

__global__ void apply(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = values[i] * weights[i % 4] + table[i % 64];
  if (i == 0) atomicAdd(&counter, 1);
}

int main() {
  const int n = 200, steps = 3;
  float host[n], expected[n], zeros[64] = {};
  for (int i = 0; i < n; ++i) host[i] = expected[i] = static_cast<float>(i % 9);
  float* device;
  MUST(cudaMalloc(&device, sizeof host));
  MUST(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
  void* address;
  std::size_t bytes;
  MUST(cudaGetSymbolAddress(&address, table));
  MUST(cudaGetSymbolSize(&bytes, table));
  MUST(cudaMemcpy(address, zeros, sizeof zeros, cudaMemcpyHostToDevice));
  for (int s = 0; s < steps; ++s) {
    const float now[4] = {1.f + s, 2.f, 0.5f, -1.f};
    MUST(cudaMemcpyToSymbol(weights, now, sizeof now));
    const float one = static_cast<float>(s);
    MUST(cudaMemcpyToSymbol(table, &one, sizeof one, 3 * sizeof(float)));
    apply<<<(n + 63) / 64, 64>>>(device, n);
    for (int i = 0; i < n; ++i) expected[i] = expected[i] * now[i % 4] + (i % 64 == 3 ? one : 0.f);
  }
  MUST(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  int count = 0;
  MUST(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  long wrong = (count != 5 + steps) + (bytes != sizeof zeros);
  for (int i = 0; i < n; ++i) wrong += host[i] != expected[i];
  return report(wrong, n + 2);
}
