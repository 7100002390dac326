// Tests dynamic shared memory with 32-bit and 64-bit addresses, properties of the device and of a kernel, occupancy,
// printf.
#include "check.h"

extern __shared__ int room[];

// Addresses of shared memory have 32 bits; the upper bits of a wider register are ignored.
__device__ int read_wide(const int* p) {
  int value;
  asm volatile("ld.shared.u32 %0, [%1];"
               : "=r"(value)
               : "l"((unsigned long long)__cvta_generic_to_shared(p) | 5ull << 34));
  return value;
}

__global__ void reverse(int* values) {
  const int n = blockDim.x, i = threadIdx.x;
  int* const mine = values + blockIdx.x * n;
  room[i] = mine[i];
  __syncthreads();
  mine[i] = read_wide(&room[n - 1 - i]);
  if (i == 0 && blockIdx.x == 1) printf("block %d has %d threads\n", blockIdx.x, n);
}

int main() {
  cudaDeviceProp device;
  MUST(cudaGetDeviceProperties(&device, 0));
  int sms = 0, blocks = 0, version = 0;
  MUST(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  MUST(cudaRuntimeGetVersion(&version));
  cudaFuncAttributes attributes;
  MUST(cudaFuncGetAttributes(&attributes, reverse));
  MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reverse, 96, 96 * sizeof(int)));
  long wrong = (sms != device.multiProcessorCount) + (device.warpSize != 32) + (blocks < 1) +
               (attributes.maxThreadsPerBlock < 96) + (version < 11000) +
               (device.maxThreadsPerMultiProcessor < 96) + (device.sharedMemPerBlock < 16384);
  const int n = 96, grid = 3;
  int host[n * grid], *values;
  for (int i = 0; i < n * grid; ++i) host[i] = i;
  MUST(cudaMalloc(&values, sizeof host));
  MUST(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
  MUST(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 * sizeof(int)));
  reverse<<<grid, n, n * sizeof(int)>>>(values);
  MUST(cudaDeviceSynchronize());
  MUST(cudaMemcpy(host, values, sizeof host, cudaMemcpyDefault));
  for (int i = 0; i < n * grid; ++i) wrong += host[i] != i / n * n + (n - 1 - i % n);
  return report(wrong, n * grid + 7);
}
