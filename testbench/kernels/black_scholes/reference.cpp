#include <cmath>
#include <numbers>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::black_scholes {
namespace {

double normal_distribution(double d) { return 0.5 * std::erfc(-d / std::numbers::sqrt2); }

void reference(KernelData& data) {
  const auto price = data.buffer<float>("price");
  const auto strike = data.buffer<float>("strike");
  const auto years = data.buffer<float>("years");
  const auto call = data.buffer<float>("call");
  const auto put = data.buffer<float>("put");
  const double rate = data.number("riskless_rate");
  const double volatility = data.number("volatility");
  for (std::size_t i = 0; i < call.size(); ++i) {
    const double s = price[i];
    const double x = strike[i];
    const double t = years[i];
    const double spread = volatility * std::sqrt(t);
    const double d1 = (std::log(s / x) + (rate + 0.5 * volatility * volatility) * t) / spread;
    const double d2 = d1 - spread;
    const double discounted = x * std::exp(-rate * t);
    call[i] = static_cast<float>(s * normal_distribution(d1) - discounted * normal_distribution(d2));
    put[i] = static_cast<float>(discounted * normal_distribution(-d2) - s * normal_distribution(-d1));
  }
}

const KernelReference registered("black_scholes", &reference);

}  // namespace
}  // namespace heddle::kernels::black_scholes
