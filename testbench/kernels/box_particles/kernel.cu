#include "../shim.h"

// Computes forces between particles in boxes: each box interacts with itself and its neighbours, at most 26.

// Lists the neighbours of each box, the box itself first. One box per thread.
__global__ void list_boxes(int* lists, int* counts, int side) {
  const int box = blockIdx.x * blockDim.x + threadIdx.x;
  if (box >= side * side * side) return;
  const int x = box % side, y = box / side % side, z = box / side / side;
  int count = 0;
  lists[27 * box + count++] = box;
#pragma unroll 1
  for (int k = -1; k <= 1; ++k)
#pragma unroll 1
    for (int j = -1; j <= 1; ++j)
#pragma unroll 1
      for (int i = -1; i <= 1; ++i) {
        if (i == 0 && j == 0 && k == 0) continue;
        if (x + i < 0 || x + i >= side || y + j < 0 || y + j >= side || z + k < 0 || z + k >= side) continue;
        lists[27 * box + count++] = ((z + k) * side + y + j) * side + x + i;
      }
  counts[box] = count;
}

// Computes forces on one box per CTA. A position is (x, y, z, (x^2 + y^2 + z^2) / 2), a force is (potential, x, y, z).
__global__ void box_forces(const float4* places, const float* charges, const int* lists, const int* counts,
                           float4* forces, int particles, float twice_alpha_squared) {
  extern __shared__ float4 other_places[];
  float* const other_charges = (float*)(other_places + particles);
  const int box = blockIdx.x;
  const int neighbours = counts[box];
  for (int n = 0; n < neighbours; ++n) {
    const int other = lists[27 * box + n];
    for (int i = threadIdx.x; i < particles; i += blockDim.x) {
      other_places[i] = places[other * particles + i];
      other_charges[i] = charges[other * particles + i];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < particles; i += blockDim.x) {
      const float4 own = places[box * particles + i];
      float4 sum = forces[box * particles + i];
      for (int j = 0; j < particles; ++j) {
        const float4 place = other_places[j];
        const float apart = own.w + place.w - (own.x * place.x + own.y * place.y + own.z * place.z);
        const float decay = __expf(-twice_alpha_squared * apart) * other_charges[j];
        const float pull = 2.0f * decay;
        sum.x += decay;
        sum.y += pull * (own.x - place.x);
        sum.z += pull * (own.y - place.y);
        sum.w += pull * (own.z - place.z);
      }
      forces[box * particles + i] = sum;
    }
    __syncthreads();
  }
}

// Computes the particles' positions from random offsets within the boxes.
__global__ void place(const float* offsets, float4* places, int side, int particles) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= side * side * side * particles) return;
  const int box = i / particles;
  const float x = (float)(box % side) + offsets[3 * i], y = (float)(box / side % side) + offsets[3 * i + 1],
              z = (float)(box / side / side) + offsets[3 * i + 2];
  places[i] = make_float4(x, y, z, 0.5f * (x * x + y * y + z * z));
}
