#include "../shim.h"

constexpr int most_rates = 80;
constexpr int most_options = 16;

// The host writes these arrays before the launch: today's forward rates; volatilities, indexed by the number of
// intervals until a rate is fixed; for each swaption, the number of intervals and the fixed rate of its swap.
__constant__ float today[most_rates];
__constant__ float volatility[most_rates];
__constant__ int terms[most_options];
__constant__ float fixed_rates[most_options];

struct Market {
  int rates, steps, options;
  float interval;  // length of an interval in years
};

// Finds swaption prices in the LIBOR market model by Monte Carlo. A thread simulates the forward rates of one path,
// with one normal number per step. It sums the swaptions' values at the path's end, and discounts this sum to today.
__global__ void libor_paths(const float* normals, float* values, Market market, int paths) {
  const int path = blockIdx.x * blockDim.x + threadIdx.x;
  if (path >= paths) return;
  float rates[most_rates];
  for (int i = 0; i < market.rates; ++i) rates[i] = today[i];

  const float interval = market.interval;
  const float root = sqrtf(interval);
  for (int step = 0; step < market.steps; ++step) {
    const float shock = root * normals[step * paths + path];
    float drift = 0.0f;
    for (int i = step + 1; i < market.rates; ++i) {
      const float sigma = volatility[i - step - 1];
      const float variance = interval * sigma;
      const float grown = rates[i];
      drift += __fdividef(variance * grown, 1.0f + interval * grown);
      rates[i] = grown * __expf(variance * drift + sigma * (shock - 0.5f * variance));
    }
  }

  // At expiry, element n for n + 1 intervals: price of a bond, and value of a swap's fixed payments at a rate of one.
  float bonds[most_rates], annuities[most_rates];
  float bond = 1.0f, annuity = 0.0f;
  for (int i = market.steps; i < market.rates; ++i) {
    bond = __fdividef(bond, 1.0f + interval * rates[i]);
    annuity += interval * bond;
    bonds[i - market.steps] = bond;
    annuities[i - market.steps] = annuity;
  }
  float value = 0.0f;
  for (int option = 0; option < market.options; ++option) {
    const int last = terms[option] - 1;
    const float swap = 1.0f - bonds[last] - fixed_rates[option] * annuities[last];
    if (swap > 0.0f) value += 100.0f * swap;
  }
  for (int i = 0; i < market.steps; ++i) value = __fdividef(value, 1.0f + interval * rates[i]);
  values[path] = value;
}
