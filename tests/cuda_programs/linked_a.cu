// Two files use each other's device code: a function, a variable and its address, a shared template, strings of printf.
#include "check.h"
#include "linked.h"

extern __device__ int steps;
__device__ int* where = &steps;

static __device__ __noinline__ int own(int x) {
  if (x < 0) printf("less than nothing: %d\n", x);
  return x + 1;
}
__global__ void first(int* into) { into[threadIdx.x] = moved(doubled(static_cast<int>(threadIdx.x))) + own(*where); }

int main() {
  const int n = 32;
  int host[n], *device;
  MUST(cudaMalloc(&device, sizeof host));
  long wrong = 0;
  for (int round = 0; round < 2; ++round) {
    const int now = round == 0 ? 5 : 50;
    if (round) MUST(cudaMemcpyToSymbol(steps, &now, sizeof now));
    first<<<1, n>>>(device);
    MUST(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) wrong += host[i] != 2 * i + now + 100 + now + 1;
    run_second(device);
    MUST(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) wrong += host[i] != 2 * i * now;
  }
  return report(wrong, 4 * n);
}
