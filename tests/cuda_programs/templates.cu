// Kernels that are templates, a functor as a parameter, static shared memory.
#include "check.h"

template <class T>
struct Square {
  T add;
  __device__ T operator()(T x) const { return x * x + add; }
};

template <class T, int kBlock, class Function>
__global__ void reduce(const T* values, T* sums, int n, Function function) {
  __shared__ T part[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  part[threadIdx.x] = i < n ? function(values[i]) : T(0);
  __syncthreads();
  for (int step = kBlock / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

template <class T, int kBlock>
long check() {
  const int n = 500, blocks = (n + kBlock - 1) / kBlock;
  T host[n], sums[blocks], *values, *device_sums, expected = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    host[i] = static_cast<T>(i % 7);
    expected += host[i] * host[i] + T(1);
  }
  MUST(cudaMalloc(&values, sizeof host));
  MUST(cudaMalloc(&device_sums, sizeof sums));
  MUST(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
  reduce<T, kBlock><<<blocks, kBlock>>>(values, device_sums, n, Square<T>{T(1)});
  MUST(cudaMemcpy(sums, device_sums, sizeof sums, cudaMemcpyDeviceToHost));
  for (int b = 0; b < blocks; ++b) sum += sums[b];
  return sum != expected;
}

int main() { return report(check<int, 64>() + check<float, 128>() + check<double, 32>(), 3); }
