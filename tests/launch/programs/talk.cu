#include <cstdio>
#include <cassert>
__constant__ float weights[4];
__device__ unsigned total;
struct Node { const float* data; int n; };
__device__ Node node;
extern "C" __global__ void talk(const int* limits, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 16 == 3) printf("thread %d of %d: %5.2f %s %lld\n", i, n, i * 0.25, i > 40 ? "late" : "early", (long long)i << 40);
  assert(limits[i] > i);
}
extern "C" __global__ void weigh(float* out) {
  int i = threadIdx.x;
  if (i < node.n) { out[i] = node.data[i] * weights[i & 3]; atomicAdd(&total, 1u); }
}
extern "C" __global__ void rows(float* const* rows, int n) {
  int i = threadIdx.x;
  if (i < n) rows[blockIdx.x][i] += 1.0f;
}
