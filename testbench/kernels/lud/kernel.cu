#include "../shim.h"

constexpr int side = 16;

// Makes the generated matrix diagonally dominant, so that it needs no pivoting.
__global__ void lud_prepare(float* matrix, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 1.0f;
  for (int k = 0; k < n; ++k) sum += fabsf(matrix[row * n + k]);
  matrix[row * n + row] = sum;
}

// Factors the diagonal tile in place: L (unit diagonal) below, U on and above the diagonal. 16 threads, one
// per row.
__global__ void lud_diagonal(float* matrix, int n, int offset) {
  __shared__ float tile[side][side];
  const int t = threadIdx.x;
  float* corner = matrix + offset * n + offset;
  for (int y = 0; y < side; ++y) tile[y][t] = corner[y * n + t];
  __syncthreads();
  for (int k = 0; k < side - 1; ++k) {
    if (t > k) {
      tile[t][k] = tile[t][k] / tile[k][k];
      for (int j = k + 1; j < side; ++j) tile[t][j] -= tile[t][k] * tile[k][j];
    }
    __syncthreads();
  }
  for (int y = 0; y < side; ++y) corner[y * n + t] = tile[y][t];
}

// Threads 0 to 15 compute a tile of U, right of the diagonal tile, one column each. Threads 16 to 31 compute a tile of
// L, below the diagonal tile, one row each.
__global__ void lud_perimeter(float* matrix, int n, int offset) {
  __shared__ float diagonal[side][side];
  __shared__ float right[side][side];
  __shared__ float below[side][side];
  const int t = threadIdx.x % side;
  const bool on_the_right = threadIdx.x < side;
  const int distance = (blockIdx.x + 1) * side;
  const float* corner = matrix + offset * n + offset;
  float* right_tile = matrix + offset * n + offset + distance;
  float* below_tile = matrix + (offset + distance) * n + offset;
  for (int y = 0; y < side; ++y) {
    if (on_the_right) {
      diagonal[y][t] = corner[y * n + t];
      right[y][t] = right_tile[y * n + t];
    } else {
      below[y][t] = below_tile[y * n + t];
    }
  }
  __syncthreads();
  if (on_the_right) {
    for (int y = 1; y < side; ++y) {
      float sum = right[y][t];
      for (int k = 0; k < y; ++k) sum -= diagonal[y][k] * right[k][t];
      right[y][t] = sum;
    }
  } else {
    for (int x = 0; x < side; ++x) {
      float sum = below[t][x];
      for (int k = 0; k < x; ++k) sum -= below[t][k] * diagonal[k][x];
      below[t][x] = sum / diagonal[x][x];
    }
  }
  __syncthreads();
  for (int y = 0; y < side; ++y) {
    if (on_the_right) {
      right_tile[y * n + t] = right[y][t];
    } else {
      below_tile[y * n + t] = below[y][t];
    }
  }
}

// Subtracts the product of the perimeter tiles from the rest of the matrix.
__global__ void lud_internal(float* matrix, int n, int offset) {
  __shared__ float left[side][side];
  __shared__ float upper[side][side];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = offset + (blockIdx.y + 1) * side + y;
  const int column = offset + (blockIdx.x + 1) * side + x;
  left[y][x] = matrix[row * n + offset + x];
  upper[y][x] = matrix[(offset + y) * n + column];
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < side; ++k) sum += left[y][k] * upper[k][x];
  matrix[row * n + column] -= sum;
}
