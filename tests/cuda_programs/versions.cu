// Tests Heddle's library for the runtime of one version of CUDA (VERSION): the library must exist under that version's name,
// have that version's symbols, and report that version.
#include "check.h"

__global__ void twice(int* numbers) { numbers[threadIdx.x] *= 2; }

int main() {
  int host[32], version = 0;
  for (int i = 0; i < 32; ++i) host[i] = i;
  int* numbers;
  MUST(cudaRuntimeGetVersion(&version));
  MUST(cudaMalloc(&numbers, sizeof host));
  MUST(cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice));
  twice<<<1, 32>>>(numbers);
  MUST(cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost));
  long wrong = version != VERSION;
  for (int i = 0; i < 32; ++i) wrong += host[i] != 2 * i;
  return report(wrong, 33);
}
