#include "../shim.h"

// Simulates a fluid in a porous block by the lattice Boltzmann method with 19 directions and one relaxation
// time. Solid cells reflect the fluid. Distributions are stored one direction after the other. A thread reads
// the 19 distributions of its cell from the neighbours. The block repeats in x, y and z.

static __device__ constexpr int kX[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
static __device__ constexpr int kY[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
static __device__ constexpr int kZ[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
#define OPPOSITE(q) ((q) == 0 ? 0 : (((q) - 1) ^ 1) + 1)
#define WEIGHT(q) ((q) == 0 ? 1.0f / 3.0f : (q) < 7 ? 1.0f / 18.0f : 1.0f / 36.0f)

// Fills each cell with fluid at rest; each cell has its own density.
__global__ void rest(const float* densities, float* cells, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float density = densities[i];
#pragma unroll
  for (int q = 0; q < 19; ++q) cells[q * count + i] = WEIGHT(q) * density;
}

__global__ void stream_collide(const float* old_cells, float* cells, const uchar* grains, int nx, int ny, int nz,
                               int solid_below, float rate, float push) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  if (x >= nx) return;
  const int count = nx * ny * nz, i = (z * ny + y) * nx + x;
  const int left = x == 0 ? nx - 1 : -1, right = x == nx - 1 ? 1 - nx : 1;
  const int south = (y == 0 ? ny - 1 : -1) * nx, north = (y == ny - 1 ? 1 - ny : 1) * nx;
  const int below = (z == 0 ? nz - 1 : -1) * nx * ny, above = (z == nz - 1 ? 1 - nz : 1) * nx * ny;
  float f[19];
#pragma unroll
  for (int q = 0; q < 19; ++q)
    f[q] = old_cells[q * count + i + (kX[q] > 0 ? left : kX[q] < 0 ? right : 0) +
                     (kY[q] > 0 ? south : kY[q] < 0 ? north : 0) + (kZ[q] > 0 ? below : kZ[q] < 0 ? above : 0)];
  if (grains[i] < solid_below) {
#pragma unroll
    for (int q = 0; q < 19; ++q) cells[OPPOSITE(q) * count + i] = f[q];
    return;
  }
  float density = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f;
#pragma unroll
  for (int q = 0; q < 19; ++q) {
    density += f[q];
    if (kX[q] != 0) ux += kX[q] > 0 ? f[q] : -f[q];
    if (kY[q] != 0) uy += kY[q] > 0 ? f[q] : -f[q];
    if (kZ[q] != 0) uz += kZ[q] > 0 ? f[q] : -f[q];
  }
  const float inverse = __fdiv_rn(1.0f, density);
  ux = ux * inverse + push;
  uy *= inverse;
  uz *= inverse;
  const float still = 1.0f - 1.5f * (ux * ux + uy * uy + uz * uz);
#pragma unroll
  for (int q = 0; q < 19; ++q) {
    const float along = kX[q] * ux + kY[q] * uy + kZ[q] * uz;
    const float balance = WEIGHT(q) * density * (still + along * (3.0f + 4.5f * along));
    cells[q * count + i] = f[q] + rate * (balance - f[q]);
  }
}
