#include "../shim.h"

// Multiplies a sparse matrix by a vector in two ways. One kernel computes a row per warp, and adds by shuffles. The
// other kernel adds each product by a float atomic; the order of the atomics determines the last digits.
__global__ void spmv_rows(const unsigned int* first, const unsigned int* length, const unsigned int* column,
                          const float* value, const float* x, float* y, int rows) {
  const int lane = threadIdx.x % 32;
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  float sum = 0.0f;
  const unsigned int begin = first[row];
  const unsigned int end = begin + length[row];
  for (unsigned int e = begin + lane; e < end; e += 32) sum += value[e] * x[column[e]];
  for (int delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffffffffu, sum, delta);
  if (lane == 0) y[row] = sum;
}

__global__ void spmv_entries(const unsigned int* row, const unsigned int* column, const float* value,
                             const float* x, float* y, int entries) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < entries) atomicAdd(&y[row[e]], value[e] * x[column[e]]);
}
