#include <algorithm>
#include <cmath>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::binomial_options {
namespace {

void reference(KernelData& data) {
  const auto prices = data.buffer<float>("prices");
  const auto strikes = data.buffer<float>("strikes");
  const auto values = data.buffer<float>("values");
  const auto steps = static_cast<std::size_t>(data.integer("steps"));
  const double up = data.number("up"), down = data.number("down");
  const double factor = std::exp(data.number("volatility") * data.number("root"));
  for (std::size_t option = 0; option < values.size(); ++option) {
    std::vector<double> nodes;
    double price = prices[option] * std::pow(factor, -static_cast<double>(steps));
    for (std::size_t ups = 0; ups <= steps; ++ups, price *= factor * factor)
      nodes.push_back(std::max(price - strikes[option], 0.0));
    for (std::size_t left = steps; left > 0; --left)
      for (std::size_t i = 0; i < left; ++i) nodes[i] = up * nodes[i + 1] + down * nodes[i];
    values[option] = static_cast<float>(nodes[0]);
  }
}

const KernelReference registered("binomial_options", &reference);

}  // namespace
}  // namespace heddle::kernels::binomial_options
