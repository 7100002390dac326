#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::backprop {
namespace {

void reference(KernelData& data) {
  const auto input = data.buffer<float>("input");
  const auto weight = data.buffer<float>("weight");
  const auto change = data.buffer<float>("change");
  const auto target = data.buffer<float>("target");
  const auto activation = data.buffer<float>("activation");
  const double rate = data.number("rate");
  const double momentum = data.number("momentum");
  const std::size_t hidden = activation.size();
  for (std::size_t unit = 0; unit < hidden; ++unit) {
    double sum = 0.0;
    for (std::size_t i = 0; i < input.size(); ++i)
      sum += static_cast<double>(input[i]) * weight[i * hidden + unit];
    const double out = 1.0 / (1.0 + std::exp(-sum));
    const double delta = out * (1.0 - out) * (target[unit] - out);
    activation[unit] = static_cast<float>(out);
    for (std::size_t i = 0; i < input.size(); ++i) {
      const std::size_t at = i * hidden + unit;
      const double moved = rate * delta * input[i] + momentum * change[at];
      weight[at] = static_cast<float>(weight[at] + moved);
      change[at] = static_cast<float>(moved);
    }
  }
}

const KernelReference registered("backprop", &reference);

}  // namespace
}  // namespace heddle::kernels::backprop
