#include "../shim.h"

constexpr int most_threads = 256;

struct Options {
  const float* prices;
  const float* strikes;
  const float* spreads;  // standard deviation of log(price) at expiry
};

// Returns a pseudo-random number for every counter. Shifts and multiplications spread each bit of the counter over all
// bits of the result.
static __device__ __forceinline__ uint scrambled(uint x) {
  x = (x ^ x >> 16) * 0x9e3779b9u;
  x = (x ^ x >> 15) * 0x6a09e667u;
  return x ^ x >> 16;
}

// Makes normal numbers by Box and Muller's method, two per thread.
__global__ void monte_carlo_normals(float* normals, int pairs, uint seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const uint a = scrambled(seed + 2 * i);
  const uint b = scrambled(seed + 2 * i + 1);
  const float radius = sqrtf(-2.0f * __logf(((a >> 9) + 0.5f) * (1.0f / 8388608.0f)));
  const float angle = (b >> 9) * (6.2831853f / 8388608.0f) - 3.1415927f;
  normals[i] = radius * __cosf(angle);
  normals[pairs + i] = radius * __sinf(angle);
}

// Computes the price of a European call option as the mean payoff over many simulated prices, and the standard
// deviation of this mean. Each CTA computes one option.
__global__ void monte_carlo_price(Options options, const float* normals, float* means, float* deviations,
                                  int paths, float interest, float discount) {
  __shared__ float sums[most_threads];
  __shared__ float squares[most_threads];
  const int thread = threadIdx.x;
  const float price = options.prices[blockIdx.x];
  const float strike = options.strikes[blockIdx.x];
  const float spread = options.spreads[blockIdx.x];
  const float drift = interest - 0.5f * spread * spread;
  float sum = 0.0f;
  float square = 0.0f;
  for (int path = thread; path < paths; path += blockDim.x) {
    const float end = price * __expf(drift + spread * normals[path]);
    const float paid = fmaxf(end - strike, 0.0f);
    sum += paid;
    square += paid * paid;
  }
  sums[thread] = sum;
  squares[thread] = square;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (thread < half) {
      sums[thread] += sums[thread + half];
      squares[thread] += squares[thread + half];
    }
    __syncthreads();
  }
  if (thread == 0) {
    const float mean = __fdividef(sums[0], (float)paths);
    const float variance = __fdividef(squares[0], (float)paths) - mean * mean;
    means[blockIdx.x] = discount * mean;
    deviations[blockIdx.x] = discount * sqrtf(__fdividef(variance, (float)paths));
  }
}
