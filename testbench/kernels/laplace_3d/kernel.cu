#include "../shim.h"

constexpr int tile_x = 32;
constexpr int tile_y = 4;

// One round of Jacobi's method for Laplace's equation in a box with a fixed surface. A CTA of 32 x 4 threads
// processes the box plane by plane. The cells below and above are in registers, the cells of the plane in
// shared memory.
__global__ void laplace_3d(const float* grid, float* next, int nx, int ny, int nz) {
  __shared__ float plane[tile_y + 2][tile_x + 2];
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int x = blockIdx.x * tile_x + threadIdx.x;
  const int y = blockIdx.y * tile_y + threadIdx.y;
  const bool there = x < nx && y < ny;
  const bool inside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
  int at = min(y, ny - 1) * nx + min(x, nx - 1);
  float below = 0.0f;
  float own = grid[at];
  for (int z = 0; z < nz; ++z) {
    const float above = z < nz - 1 ? grid[at + nx * ny] : 0.0f;
    plane[ty][tx] = own;
    if (inside) {  // loads only those edge cells that an inner cell needs
      if (tx == 1) plane[ty][0] = grid[at - 1];
      if (tx == tile_x) plane[ty][tile_x + 1] = grid[at + 1];
      if (ty == 1) plane[0][tx] = grid[at - nx];
      if (ty == tile_y) plane[tile_y + 1][tx] = grid[at + nx];
    }
    __syncthreads();
    float value = own;
    if (inside && z > 0 && z < nz - 1)
      value = ((plane[ty][tx - 1] + plane[ty][tx + 1]) + (plane[ty - 1][tx] + plane[ty + 1][tx]) +
               (below + above)) *
              (1.0f / 6.0f);
    if (there) next[at] = value;
    __syncthreads();
    below = own;
    own = above;
    at += nx * ny;
  }
}
