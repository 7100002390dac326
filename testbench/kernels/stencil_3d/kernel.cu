#include "../shim.h"

// A seven-point stencil over a volume, whose border is copied. CTAs and grid are three-dimensional.
__global__ void stencil_3d(const float* old_volume, float* volume, int nx, int ny, int nz,
                           float centre_weight, float side_weight) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  const int at = (z * ny + y) * nx + x;
  const float own = old_volume[at];
  if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1) {
    volume[at] = own;
    return;
  }
  const int plane = nx * ny;
  const float around = old_volume[at - 1] + old_volume[at + 1] + old_volume[at - nx] + old_volume[at + nx] +
                       old_volume[at - plane] + old_volume[at + plane];
  volume[at] = centre_weight * own + side_weight * around;
}
