#include <cooperative_groups.h>
extern "C" __global__ void phases(float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * 2;
  cooperative_groups::this_grid().sync();
  x[i] = y[gridDim.x * blockDim.x - 1 - i];
}
