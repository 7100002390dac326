// Tests memory pools, locations of managed memory (CUDA 13), queries of streams and functions, and timers of NVIDIA's
// samples. OpenGL buffers and peers must be refused.
#include <cuda_gl_interop.h>
#include <helper_timer.h>

#include <cstring>

#include "check.h"

#ifndef __NVCC__
#error "programs ask by this name whether nvcc, or what stands for it, compiles them"
#endif

constexpr int kCount = 1000;

__global__ void squares(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCount) out[i] = i * i;
}

static long wrong = 0, all = 0;
static void expect(bool right) {
  ++all;
  wrong += !right;
}

static void pools(cudaStream_t stream) {
  cudaMemPool_t pool;
  MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long threshold = ~0ull;
  MUST(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  int supported = 0;
  MUST(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  expect(supported == 1);
  int* of_pool;
  MUST(cudaMallocFromPoolAsync(&of_pool, kCount * sizeof(int), pool, stream));
  squares<<<(kCount + 63) / 64, 64, 0, stream>>>(of_pool);
  int host[kCount];
  MUST(cudaMemcpyAsync(host, of_pool, sizeof host, cudaMemcpyDeviceToHost, stream));
  MUST(cudaFreeAsync(of_pool, stream));
  MUST(cudaStreamSynchronize(stream));
  for (int i = 0; i < kCount; ++i) expect(host[i] == i * i);
}

static void places(cudaStream_t stream) {
  int* managed;
  MUST(cudaMallocManaged(&managed, kCount * sizeof(int)));
  const cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
  MUST(cudaMemAdvise(managed, kCount * sizeof(int), cudaMemAdviseSetPreferredLocation, device));
  MUST(cudaMemPrefetchAsync(managed, kCount * sizeof(int), device, 0, stream));
  squares<<<(kCount + 63) / 64, 64, 0, stream>>>(managed);
  MUST(cudaMemPrefetchAsync(managed, kCount * sizeof(int), host, 0));
  MUST(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; ++i) expect(managed[i] == i * i);
  MUST(cudaFree(managed));
}

static void questions(cudaStream_t stream) {
  unsigned flags = 0;
  MUST(cudaStreamGetFlags(stream, &flags));
  expect(flags == cudaStreamNonBlocking);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  MUST(cudaStreamIsCapturing(stream, &status));
  expect(status == cudaStreamCaptureStatusNone);
  const char* name = nullptr;
  MUST(cudaFuncGetName(&name, squares));
  expect(std::strstr(name, "squares"));
  int grid = 0, block = 0, grid_of_one = 0, block_of_one = 0;
  MUST(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, squares, [](int) { return 0; }));
  MUST(cudaOccupancyMaxPotentialBlockSize(&grid_of_one, &block_of_one, squares));
  expect(grid > 0 && block > 0 && grid == grid_of_one && block == block_of_one);
  // A block may not use more shared memory than an SM has: with 512 bytes per thread, a block has at most 96 threads.
  MUST(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, squares, [](int n) { return 512 * n; }));
  expect(block <= 96);
}

int main() {
  StopWatchInterface* timer = nullptr;
  expect(sdkCreateTimer(&timer) && sdkStartTimer(&timer));
  cudaStream_t stream;
  MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  pools(stream);
  places(stream);
  questions(stream);
  MUST(cudaStreamDestroy(stream));
  cudaGraphicsResource_t resource;
  expect(cudaGraphicsGLRegisterBuffer(&resource, 1, cudaGraphicsRegisterFlagsNone) == cudaErrorNotSupported);
  cudaGetLastError();
  int value;
  expect(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0) == cudaErrorNotSupported);
  cudaGetLastError();
  sdkStopTimer(&timer);
  const float once = sdkGetTimerValue(&timer);
  expect(once > 0 && sdkGetAverageTimerValue(&timer) == once);
  expect(sdkDeleteTimer(&timer) && !sdkDeleteTimer(&timer));
  return report(wrong, all);
}
