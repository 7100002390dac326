#include "../shim.h"

constexpr int room = 32;  // capacity of a cell, in atoms

// Sorts atoms (x, y, z in cells, charge) into cells. One cell per thread, so that a cell keeps the order of
// the input.
__global__ void fill_cells(const float* places, const float* charges, int atoms, float4* cells, int* counts, int side) {
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= side * side * side) return;
  const int cx = cell % side, cy = cell / side % side, cz = cell / side / side;
  int count = 0;
  for (int i = 0; i < atoms; ++i) {
    const float x = places[3 * i], y = places[3 * i + 1], z = places[3 * i + 2];
    if ((int)x != cx || (int)y != cy || (int)z != cz || count == room) continue;
    cells[room * cell + count++] = make_float4(x, y, z, charges[i]);
  }
  counts[cell] = count;
}

// Computes the potential at 4 x 4 x 4 points per cell. An atom adds its charge / distance, multiplied by a
// factor that falls smoothly to zero at a distance of one cell edge. Each CTA computes one cell, and each
// thread one point. The CTA loads neighbouring cells into shared memory.
__global__ void near_potential(const float4* cells, const int* counts, float* potential, int side) {
  __shared__ float4 atoms[room];
  const int cx = blockIdx.x, cy = blockIdx.y, cz = blockIdx.z;
  const float x = (float)cx + 0.25f * (float)threadIdx.x + 0.125f, y = (float)cy + 0.25f * (float)threadIdx.y + 0.125f,
              z = (float)cz + 0.25f * (float)threadIdx.z + 0.125f;
  const int thread = (threadIdx.z * 4 + threadIdx.y) * 4 + threadIdx.x;
  float sum = 0.0f;
  for (int k = max(cz - 1, 0); k <= min(cz + 1, side - 1); ++k)
    for (int j = max(cy - 1, 0); j <= min(cy + 1, side - 1); ++j)
      for (int i = max(cx - 1, 0); i <= min(cx + 1, side - 1); ++i) {
        const int cell = (k * side + j) * side + i;
        const int count = counts[cell];
        if (thread < count) atoms[thread] = cells[room * cell + thread];
        __syncthreads();
        for (int a = 0; a < count; ++a) {
          const float dx = atoms[a].x - x, dy = atoms[a].y - y, dz = atoms[a].z - z;
          const float squared = dx * dx + dy * dy + dz * dz;
          if (squared >= 1.0f) continue;
          const float fall = 1.0f - squared;
          sum += atoms[a].w * rsqrtf(squared) * fall * fall;
        }
        __syncthreads();
      }
  potential[64 * ((cz * side + cy) * side + cx) + thread] = sum;
}
