#include "../shim.h"

constexpr int atoms_at_once = 512;
constexpr int points_a_thread = 4;

// Each atom: x, y, square of z, charge. The host writes the atoms before the launches.
__constant__ float4 atoms[atoms_at_once];

// Computes the Coulomb potential of point charges on a slice of a lattice. A thread computes `points_a_thread`
// points of a row, blockDim.x apart. These points have the same distances from an atom in y and z.
__global__ void coulomb_potential(float* potential, int width, int height, int count, float spacing) {
  const int x = blockIdx.x * blockDim.x * points_a_thread + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= height) return;
  const float px = spacing * x;
  const float py = spacing * y;
  const float step = spacing * blockDim.x;
  float sum[points_a_thread] = {};
  for (int i = 0; i < count; ++i) {
    const float4 atom = atoms[i];
    const float dy = py - atom.y;
    const float dyz = dy * dy + atom.z;
    float dx = px - atom.x;
#pragma unroll
    for (int p = 0; p < points_a_thread; ++p) {
      sum[p] += atom.w * rsqrtf(dx * dx + dyz);
      dx += step;
    }
  }
#pragma unroll
  for (int p = 0; p < points_a_thread; ++p) {
    const int at = x + p * blockDim.x;
    if (at < width) potential[y * width + at] += sum[p];
  }
}
