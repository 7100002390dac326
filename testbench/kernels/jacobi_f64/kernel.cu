#include "../shim.h"

// Solves Laplace's equation on a grid with a fixed border in double precision by Jacobi's method, damped.
// Rounds continue until no cell changes by more than a tolerance. The largest change of any cell in any round
// is stored as a bit pattern.
__global__ void jacobi(const double* old_grid, double* grid, unsigned int* active,
                       unsigned long long* largest_change, int width, int height, double tolerance) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int at = y * width + x;
  const double own = old_grid[at];
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    grid[at] = own;
    return;
  }
  const double around = __dadd_rn(__dadd_rn(old_grid[at - 1], old_grid[at + 1]),
                                  __dadd_rn(old_grid[at - width], old_grid[at + width]));
  const double mean = __dmul_rn(0.25, around);
  const double value = __fma_rn(0.8, __dadd_rn(mean, -own), own);
  const double change = fabs(__dadd_rn(value, -own));
  grid[at] = value;
  if (change > tolerance) {
    *active = 1;
    atomicMax(largest_change, (unsigned long long)__double_as_longlong(change));
  }
}
