#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::monte_carlo {
namespace {

// Returns a number in [0, 1) with 23 bits.
double fraction(std::uint32_t counter) {
  std::uint32_t x = counter;
  x = (x ^ (x >> 16)) * 0x9e3779b9u;
  x = (x ^ (x >> 15)) * 0x6a09e667u;
  x ^= x >> 16;
  return (x >> 9) / 8388608.0;
}

void reference(KernelData& data) {
  const auto prices = data.buffer<float>("prices");
  const auto strikes = data.buffer<float>("strikes");
  const auto spreads = data.buffer<float>("spreads");
  const auto means = data.buffer<float>("means");
  const auto deviations = data.buffer<float>("deviations");
  const auto pairs = static_cast<std::uint32_t>(data.integer("pairs"));
  const auto seed = static_cast<std::uint32_t>(data.integer("seed"));
  const double discount = data.number("discount");
  std::vector<double> normals(2 * pairs);
  for (std::uint32_t i = 0; i < pairs; ++i) {
    const double radius = std::sqrt(-2 * std::log(fraction(seed + 2 * i) + 0.5 / 8388608.0));
    const double angle = (2 * fraction(seed + 2 * i + 1) - 1) * std::numbers::pi;
    normals[i] = radius * std::cos(angle);
    normals[pairs + i] = radius * std::sin(angle);
  }
  for (std::size_t o = 0; o < means.size(); ++o) {
    const double spread = spreads[o], drift = data.number("interest") - spread * spread / 2;
    double sum = 0, square = 0;
    for (const double normal : normals) {
      const double paid = std::max(0.0, prices[o] * std::exp(drift + spread * normal) - strikes[o]);
      sum += paid;
      square += paid * paid;
    }
    const auto paths = static_cast<double>(normals.size());
    means[o] = static_cast<float>(discount * sum / paths);
    deviations[o] = static_cast<float>(discount * std::sqrt((square - sum * sum / paths) / paths / paths));
  }
}

const KernelReference registered("monte_carlo", &reference);

}  // namespace
}  // namespace heddle::kernels::monte_carlo
