// First of several source files whose kernels and variables have the same names.
#include "check.h"

static __device__ int state = 1;
int run_b(int* device);

namespace {
__global__ void kernel(int* into) { into[threadIdx.x] = static_cast<int>(threadIdx.x) + state; }
}  // namespace

int main() {
  const int n = 32;
  int host[n], *device;
  MUST(cudaMalloc(&device, sizeof host));
  kernel<<<1, n>>>(device);
  MUST(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  long wrong = 0;
  for (int i = 0; i < n; ++i) wrong += host[i] != i + 1;
  const int from_b = run_b(device);
  const int three = 3;
  MUST(cudaMemcpyToSymbol(state, &three, sizeof three));
  kernel<<<1, n>>>(device);
  MUST(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) wrong += host[i] != i + 3;
  return report(wrong + (from_b != 31 * 1000), 2 * n + 1);
}
