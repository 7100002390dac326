#include "../shim.h"

// Gaussian elimination without pivoting. For each column, computes a multiplier for each lower row, then subtracts the
// pivot row times this multiplier from the lower row. First, gaussian_prepare makes the matrix diagonally dominant.
__global__ void gaussian_prepare(float* matrix, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 1.0f;
  for (int k = 0; k < n; ++k) sum += fabsf(matrix[row * n + k]);
  matrix[row * n + row] = sum;
}

__global__ void gaussian_multipliers(float* multiplier, const float* matrix, int n, int pivot) {
  const int row = pivot + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  multiplier[row] = matrix[row * n + pivot] / matrix[pivot * n + pivot];
}

__global__ void gaussian_eliminate(const float* multiplier, float* matrix, float* right_side, int n,
                                   int pivot) {
  const int column = pivot + blockIdx.x * blockDim.x + threadIdx.x;
  const int row = pivot + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  const float factor = multiplier[row];
  matrix[row * n + column] -= factor * matrix[pivot * n + column];
  if (column == pivot) right_side[row] -= factor * right_side[pivot];
}
