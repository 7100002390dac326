// Uses the asynchronous copies and barriers of cuda_pipeline.h and cuda_awbarrier_primitives.h.

#include <cuda_pipeline.h>

static __device__ int rotated(const int* buffer) { return buffer[(4 * threadIdx.x + 4) % 256]; }

extern "C" __global__ void batches(const int* in, int* out) {
  __shared__ __align__(16) int buffer[3][256];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&buffer[0][4 * t], &in[4 * t], 16);
  __pipeline_commit();
  __pipeline_memcpy_async(&buffer[1][4 * t], &in[256 + 4 * t], 8, 4);
  __pipeline_memcpy_async(&buffer[1][4 * t + 2], &in[4 * t], 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&buffer[2][4 * t], &in[4 * t], 16, 16);
  __pipeline_commit();
  __pipeline_wait_prior(2);
  __syncthreads();
  int sum = rotated(buffer[0]);
  __pipeline_wait_prior(0);
  __syncthreads();
  sum += 3 * rotated(buffer[1]) + 5 * rotated(buffer[1] + 1) + 7 * rotated(buffer[1] + 2) + rotated(buffer[2] + 3);
  out[t] = sum;
}

#if __CUDA_ARCH__ >= 800
extern "C" __global__ void phases(const int* in, int* out) {
  __shared__ __align__(16) int buffer[256];
  __shared__ __mbarrier_t barrier;
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  __pipeline_memcpy_async(&buffer[4 * t], &in[4 * t], 16);
  __pipeline_arrive_on(&barrier);
  __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  out[t] = rotated(buffer);
  token = t < 32 ? __mbarrier_arrive(&barrier) : __mbarrier_arrive_and_drop(&barrier);
  while (!__mbarrier_try_wait_parity(&barrier, true, 100)) {
  }
  out[64 + t] = __mbarrier_token_pending_count(token) <= 64;
  if (t < 32) {  // the other 32 threads have dropped out of the barrier
    token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_try_wait(&barrier, token, 100)) {
    }
    while (!__mbarrier_test_wait_parity(&barrier, false)) {
    }
  }
  __syncthreads();
  if (t == 0) {
    out[128] = __mbarrier_maximum_count();
    __mbarrier_inval(&barrier);
  }
}
#endif
