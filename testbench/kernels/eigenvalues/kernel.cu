#include "../shim.h"

// Finds eigenvalues of a symmetric tridiagonal matrix by bisection. The number of eigenvalues below a value v is the
// number of negative pivots of (matrix - v * identity). Each thread finds one eigenvalue. The CTA loads the matrix into
// shared memory.
__global__ void bisect(const float* diagonal, const float* beside, float* values, int size, float low, float high, int rounds) {
  extern __shared__ float staged[];  // the diagonal, then the squares of the elements beside it
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  float below = low, above = high;
  for (int round = 0; round < rounds; ++round) {
    const float middle = __fmul_rn(0.5f, __fadd_rn(below, above));
    int count = 0;
    float pivot = 1.0f;
    for (int first = 0; first < size; first += blockDim.x) {
      __syncthreads();
      const int i = first + threadIdx.x;
      if (i < size) {
        staged[threadIdx.x] = diagonal[i];
        staged[blockDim.x + threadIdx.x] = i == 0 ? 0.0f : __fmul_rn(beside[i - 1], beside[i - 1]);
      }
      __syncthreads();
      const int last = min((int)blockDim.x, size - first);
      for (int j = 0; j < last; ++j) {
        pivot = __fadd_rn(__fadd_rn(staged[j], -middle), -__fdiv_rn(staged[blockDim.x + j], pivot));
        if (fabsf(pivot) < 1e-30f) pivot = -1e-30f;
        if (pivot < 0.0f) ++count;
      }
    }
    if (count > k)
      above = middle;
    else
      below = middle;
  }
  if (k < size) values[k] = __fmul_rn(0.5f, __fadd_rn(below, above));
}
