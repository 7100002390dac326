#include <algorithm>
#include <cmath>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::libor_paths {
namespace {

struct Swaption {
  std::size_t intervals;
  double fixed_rate;
};

// Returns the value of all swaptions at expiry, from the forward rates.
double payoff(const std::vector<double>& rates, double interval, const std::vector<Swaption>& swaptions) {
  double sum = 0;
  for (const Swaption& swaption : swaptions) {
    double bond = 1, annuity = 0;
    for (std::size_t i = 0; i < swaption.intervals; ++i) {
      bond /= 1 + interval * rates[i];
      annuity += interval * bond;
    }
    sum += 100 * std::max(0.0, 1 - bond - swaption.fixed_rate * annuity);
  }
  return sum;
}

void reference(KernelData& data) {
  const auto today = data.buffer<float>("today");
  const auto volatility = data.buffer<float>("volatility");
  const auto terms = data.buffer<std::int32_t>("terms");
  const auto fixed_rates = data.buffer<float>("fixed_rates");
  const auto normals = data.buffer<float>("normals");
  const auto values = data.buffer<float>("values");
  const auto steps = static_cast<std::size_t>(data.integer("steps"));
  const double interval = data.number("interval");
  std::vector<Swaption> swaptions;
  for (std::size_t i = 0; i < terms.size(); ++i)
    swaptions.push_back({static_cast<std::size_t>(terms[i]), fixed_rates[i]});
  for (std::size_t path = 0; path < values.size(); ++path) {
    std::vector<double> rates(today.begin(), today.end());
    for (std::size_t step = 0; step < steps; ++step) {
      const double shock = std::sqrt(interval) * normals[step * values.size() + path];
      double drift = 0;
      for (std::size_t i = step + 1; i < rates.size(); ++i) {
        const double sigma = volatility[i - step - 1];
        drift += interval * sigma * rates[i] / (1 + interval * rates[i]);
        rates[i] *= std::exp((drift * sigma - sigma * sigma / 2) * interval + sigma * shock);
      }
    }
    double discount = 1;
    for (std::size_t i = 0; i < steps; ++i) discount /= 1 + interval * rates[i];
    rates.erase(rates.begin(), rates.begin() + static_cast<std::ptrdiff_t>(steps));
    values[path] = static_cast<float>(discount * payoff(rates, interval, swaptions));
  }
}

const KernelReference registered("libor_paths", &reference);

}  // namespace
}  // namespace heddle::kernels::libor_paths
