// A host program with OpenMP. Its host threads share the device, and each thread launches kernels on a stream of its
// own.

#include "check.h"

#include <omp.h>

__global__ void square(int* numbers, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) numbers[i] *= numbers[i];
}

int main() {
  constexpr int kThreads = 3, kEach = 100;
  long wrong = 0, threads = 0;
#pragma omp parallel num_threads(kThreads) reduction(+ : wrong, threads)
  {
    const int thread = omp_get_thread_num();
    int host[kEach], *device;
    for (int i = 0; i < kEach; ++i) host[i] = thread * kEach + i;
    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));
    MUST(cudaMalloc(&device, sizeof host));
    MUST(cudaMemcpyAsync(device, host, sizeof host, cudaMemcpyHostToDevice, stream));
    square<<<1, 128, 0, stream>>>(device, kEach);
    MUST(cudaMemcpyAsync(host, device, sizeof host, cudaMemcpyDeviceToHost, stream));
    MUST(cudaStreamSynchronize(stream));
    for (int i = 0; i < kEach; ++i) wrong += host[i] != (thread * kEach + i) * (thread * kEach + i);
    MUST(cudaStreamDestroy(stream));
    MUST(cudaFree(device));
    ++threads;
  }
  return report(wrong + (threads != kThreads), kThreads * kEach + 1);
}
