// Tests streams, events and pinned memory: copies and kernels on several streams, ordered by events, and the simulated
// time between events.
#include <initializer_list>

#include "check.h"

__global__ void fill(int* into, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) into[i] = value + i;
}

__global__ void add(const int* a, const int* b, int* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void count_call(void* count) { ++*static_cast<int*>(count); }

int main() {
  const int n = 512;
  int *a, *b, *c, *host, calls = 0;
  MUST(cudaMalloc(&a, n * sizeof(int)));
  MUST(cudaMalloc(&b, n * sizeof(int)));
  MUST(cudaMalloc(&c, n * sizeof(int)));
  MUST(cudaMallocHost(&host, n * sizeof(int)));
  cudaStream_t one, two;
  MUST(cudaStreamCreate(&one));
  MUST(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  cudaEvent_t begin, filled, end;
  MUST(cudaEventCreate(&begin));
  MUST(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
  MUST(cudaEventCreate(&end));
  MUST(cudaEventRecord(begin, one));
  fill<<<n / 128, 128, 0, one>>>(a, n, 1);
  fill<<<n / 128, 128, 0, two>>>(b, n, 1000);
  MUST(cudaEventRecord(filled, two));
  MUST(cudaStreamWaitEvent(one, filled, 0));
  add<<<n / 128, 128, 0, one>>>(a, b, c, n);
  MUST(cudaMemcpyAsync(host, c, n * sizeof(int), cudaMemcpyDeviceToHost, one));
  MUST(cudaLaunchHostFunc(one, count_call, &calls));
  MUST(cudaEventRecord(end, one));
  MUST(cudaEventSynchronize(end));
  float milliseconds = 0;
  MUST(cudaEventElapsedTime(&milliseconds, begin, end));
  MUST(cudaStreamSynchronize(one));
  long wrong = (calls != 1) + !(milliseconds > 0);
  for (int i = 0; i < n; ++i) wrong += host[i] != 1001 + 2 * i;
  MUST(cudaStreamDestroy(one));
  MUST(cudaStreamDestroy(two));
  for (cudaEvent_t e : {begin, filled, end}) MUST(cudaEventDestroy(e));
  MUST(cudaFreeHost(host));
  return report(wrong, n + 2);
}
