#include "../shim.h"

// Computes dot products of pairs of vectors, one pair per CTA. Each thread adds products in a loop over the vectors.
// Each warp then adds its threads' sums by shuffles, and the first warp adds the sums of the warps.
__global__ void scalar_prod(float* result, const float* a, const float* b, int elements) {
  __shared__ float warp_sum[32];
  const float* left = a + blockIdx.x * elements;
  const float* right = b + blockIdx.x * elements;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < elements; i += blockDim.x) sum += left[i] * right[i];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
  const unsigned int lane = threadIdx.x % 32;
  if (lane == 0) warp_sum[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = lane < blockDim.x / 32 ? warp_sum[lane] : 0.0f;
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    if (lane == 0) result[blockIdx.x] = sum;
  }
}
