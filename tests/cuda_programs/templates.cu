// Tests kernel templates, a functor as a parameter, static shared memory, the host's library together with CUDA's
// keywords, and code that other compilers accept.
#include <cinttypes>
#include <memory>

#include "check.h"

#define SAID "wrong"
// heddle-cc must join the strings around the macro, although C++11 reads SAID as the suffix of the first string.
// clang-format off
inline void say(long count) { if (count) std::printf("%ld "SAID"\n", count); }
// clang-format on
__device__ __noinline__ int next(int value) { return value + 1; }
__global__ void narrow(int value, uchar4* out) {
  register const int same = value;
  const uchar4 made = {value, next(value), same, same};
  *out = made;
}
long check_narrow() {
  const auto out = std::make_shared<uchar4>();
  uchar4* device;
  MUST(cudaMalloc(&device, sizeof(uchar4)));
  narrow<<<1, 1>>>(300, device);
  MUST(cudaMemcpy(out.get(), device, sizeof(uchar4), cudaMemcpyDeviceToHost));
  say(out->y != 45);
  return out->y != 45;
}

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

int main() {
  return report(check<int, 64>() + check<float, 128>() + check<double, 32>() + check_narrow(), 4);
}
