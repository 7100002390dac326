#include "../shim.h"

struct Market {
  float riskless_rate;
  float volatility;
  int options;
};

// Computes the cumulative normal distribution by Abramowitz and Stegun's polynomial 26.2.17. It is not
// inlined, so that the PTX calls a device function.
__device__ __noinline__ float normal_distribution(float d) {
  const float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
  const float polynomial =
      k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228040143267794f * __expf(-0.5f * d * d) * polynomial;
  return d > 0.0f ? 1.0f - tail : tail;
}

// Prices European call and put options in a grid-stride loop over the options.
__global__ void __launch_bounds__(128) black_scholes(float* call, float* put, const float* price,
                                                     const float* strike, const float* years, Market market) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < market.options; i += stride) {
    const float s = price[i];
    const float x = strike[i];
    const float t = years[i];
    const float root = sqrtf(t);
    const float spread = market.volatility * root;
    const float d1 = __fdividef(
        __logf(__fdividef(s, x)) + (market.riskless_rate + 0.5f * market.volatility * market.volatility) * t,
        spread);
    const float d2 = d1 - spread;
    const float n1 = normal_distribution(d1);
    const float n2 = normal_distribution(d2);
    const float discounted = x * __expf(-market.riskless_rate * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
  }
}
