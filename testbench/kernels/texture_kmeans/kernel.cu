#include "../textures.h"

// Texture references that the host binds to the coordinates of points and of centres, stored feature by feature.
template <class T, int dimensions, int read>
struct __attribute__((device_builtin_texture_type)) texture {
  T unused;
};
using Reference = texture<float, 1, 0>;
Reference points, centres;

static __device__ __forceinline__ float fetched(Reference from, int i) {
  float4 r;
  asm("tex.1d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
      : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
      : "l"(from), "r"(i));
  return r.x;
}

// Finds the nearest centre of each point, and counts the points whose centre has changed.
__global__ void assign(int* member, int* changed, int count, int features, int groups) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int nearest = 0;
  float least = 3.0e38f;
  for (int g = 0; g < groups; ++g) {
    float distance = 0.0f;
    for (int f = 0; f < features; ++f) {
      const float d = __fadd_rn(fetched(points, f * count + i), -fetched(centres, g * features + f));
      distance = __fmaf_rn(d, d, distance);
    }
    if (distance < least) {
      least = distance;
      nearest = g;
    }
  }
  if (member[i] == nearest) return;
  member[i] = nearest;
  atomicAdd(changed, 1);
}

// Each thread computes one coordinate of one centre: the mean over the centre's points, summed in point order.
__global__ void move(const int* member, float* moved, int count, int features, int groups) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= groups * features) return;
  const int g = i / features, f = i % features;
  float sum = 0.0f;
  int members = 0;
  for (int p = 0; p < count; ++p) {
    if (member[p] != g) continue;
    sum = __fadd_rn(sum, fetched(points, f * count + p));
    ++members;
  }
  if (members != 0) moved[i] = __fdiv_rn(sum, (float)members);
}
