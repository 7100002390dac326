#include "../shim.h"

constexpr int features = 4;

// One round of k-means on points of four 8-bit features. The result is exact: distances use fused operations
// in a fixed order, and new centres are computed from integer sums.
__global__ void kmeans_assign(const uchar4* points, const float4* centres, int* membership,
                              unsigned int* sums, unsigned int* members, unsigned int* moved, int count,
                              int clusters) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const uchar4 point = points[i];
  int best = 0;
  float best_distance = 3.0e38f;
  for (int k = 0; k < clusters; ++k) {
    const float4 centre = centres[k];
    const float d0 = (float)point.x - centre.x;
    const float d1 = (float)point.y - centre.y;
    const float d2 = (float)point.z - centre.z;
    const float d3 = (float)point.w - centre.w;
    const float distance = __fmaf_rn(d3, d3, __fmaf_rn(d2, d2, __fmaf_rn(d1, d1, __fmul_rn(d0, d0))));
    if (distance < best_distance) {
      best_distance = distance;
      best = k;
    }
  }
  atomicAdd(&sums[best * features + 0], point.x);
  atomicAdd(&sums[best * features + 1], point.y);
  atomicAdd(&sums[best * features + 2], point.z);
  atomicAdd(&sums[best * features + 3], point.w);
  atomicAdd(&members[best], 1u);
  if (membership[i] != best) {
    membership[i] = best;
    *moved = 1;
  }
}

// Computes the new centres, the means of the members, and clears the sums for the next round. One thread per
// cluster and feature.
__global__ void kmeans_centres(float* centres, unsigned int* sums, unsigned int* members, int clusters) {
  const int t = threadIdx.x;
  const bool used = t < clusters * features;
  const unsigned int size = used ? members[t / features] : 0;
  __syncthreads();
  if (!used) return;
  if (size > 0) centres[t] = __fdiv_rn((float)sums[t], (float)size);
  sums[t] = 0;
  if (t % features == 0) members[t / features] = 0;
}
