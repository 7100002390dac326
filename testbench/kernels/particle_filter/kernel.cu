#include "../shim.h"

// Follows an object through video frames with a particle filter, in integers only. Each particle is moved by
// noise, weighted by the brightness of the disc around it, and resampled in proportion to its weight.

constexpr int disc = 3;

static __device__ __forceinline__ int within(int i, int count) { return min(max(i, 0), count - 1); }

// Returns noise from the particle's own linear congruential generator.
static __device__ __forceinline__ int noise(uint& seed, int range) {
  seed = seed * 1664525u + 1013904223u;
  return (int)((seed >> 16) % (uint)(2 * range + 1)) - range;
}

__global__ void likelihoods(const uchar* frame, int2* places, uint* seeds, uint* weights, int particles, int width, int height, int range) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= particles) return;
  uint seed = seeds[i];
  int2 place = places[i];
  place.x = within(place.x + noise(seed, range), width);
  place.y = within(place.y + noise(seed, range), height);
  places[i] = place;
  seeds[i] = seed;
  uint sum = 0;
  for (int y = -disc; y <= disc; ++y)
    for (int x = -disc; x <= disc; ++x) {
      if (x * x + y * y > disc * disc) continue;
      const uint bright = frame[within(place.y + y, height) * width + within(place.x + x, width)];
      sum += bright * bright >> 8;
    }
  weights[i] = sum / 16 + 1;
}

// Computes prefix sums of the weights. One CTA processes all particles, a tile at a time.
__global__ void sums(const uint* weights, uint* up_to, int particles) {
  __shared__ uint tile[2][128];
  uint carried = 0;
  for (int first = 0; first < particles; first += 128) {
    const int i = first + threadIdx.x;
    int now = 0;
    tile[0][threadIdx.x] = i < particles ? weights[i] : 0;
    __syncthreads();
    for (int stride = 1; stride < 128; stride *= 2, now ^= 1) {
      const uint own = tile[now][threadIdx.x];
      tile[now ^ 1][threadIdx.x] = (int)threadIdx.x >= stride ? own + tile[now][threadIdx.x - stride] : own;
      __syncthreads();
    }
    if (i < particles) up_to[i] = carried + tile[now][threadIdx.x];
    carried += tile[now][127];
    __syncthreads();
  }
}

// Resamples with marks at equal distances from 0 to the last prefix sum. Each mark selects the first particle whose
// prefix sum is above the mark.
__global__ void resample(const uint* up_to, const int2* places, int2* drawn, int particles, uint start) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= particles) return;
  const uint total = up_to[particles - 1];
  const uint mark = (uint)(((unsigned long long)total * (1024u * (uint)i + start)) / (1024u * (uint)particles));
  int found = 0;
  while (found < particles - 1 && up_to[found] <= mark) ++found;
  drawn[i] = places[found];
}
