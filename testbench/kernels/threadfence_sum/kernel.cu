#include "../shim.h"

// Number of CTAs that have stored their sum. The counter wraps to zero for the next launch.
__device__ unsigned int delivered = 0;

// Computes the dot product of two vectors of doubles in one launch. Every CTA stores its sum, and the last CTA adds the
// sums in CTA order.
__global__ void threadfence_sum(const double2* a, const double2* b, volatile double* sums, double* result,
                                int pairs) {
  __shared__ double partial[192];
  __shared__ volatile bool last;
  const unsigned int t = threadIdx.x;
  double sum = 0.0;
  for (int i = blockIdx.x * blockDim.x + t; i < pairs; i += gridDim.x * blockDim.x) {
    const double2 left = a[i];
    const double2 right = b[i];
    sum += left.x * right.x + left.y * right.y;
  }
  partial[t] = sum;
  __syncthreads();
  for (unsigned int left = blockDim.x; left > 1;) {
    const unsigned int half = (left + 1) / 2;
    if (t + half < left) partial[t] += partial[t + half];
    left = half;
    __syncthreads();
  }
  if (t == 0) {
    sums[blockIdx.x] = partial[0];
    __threadfence();
    last = atomicInc(&delivered, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || t != 0) return;
  double total = 0.0;
  for (unsigned int k = 0; k < gridDim.x; ++k) total += sums[k];
  *result = total;
}
