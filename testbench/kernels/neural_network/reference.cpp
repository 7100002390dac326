#include <cmath>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::neural_network {
namespace {

constexpr std::size_t kKernel = 5, kStride = 2;

// Several square maps (channels) of one picture, stored one after the other.
struct Maps {
  std::size_t count, side;
  std::vector<double> cells;

  double at(std::size_t map, std::size_t row, std::size_t column) const {
    return cells[(map * side + row) * side + column];
  }
};

Maps convolve(const Maps& below, std::span<const float> weights, std::size_t count) {
  Maps maps{count, (below.side - kKernel) / kStride + 1, {}};
  const std::size_t each = 1 + below.count * kKernel * kKernel;
  for (std::size_t map = 0; map < count; ++map)
    for (std::size_t cell = 0; cell < maps.side * maps.side; ++cell) {
      const std::size_t top = cell / maps.side * kStride, left = cell % maps.side * kStride;
      double sum = weights[map * each];
      for (std::size_t i = 0; i + 1 < each; ++i)
        sum += static_cast<double>(weights[map * each + 1 + i]) *
               below.at(i / (kKernel * kKernel), top + i / kKernel % kKernel, left + i % kKernel);
      maps.cells.push_back(std::tanh(sum));
    }
  return maps;
}

std::vector<double> connect(const std::vector<double>& inputs, std::span<const float> weights) {
  std::vector<double> outputs(weights.size() / (inputs.size() + 1));
  for (std::size_t n = 0; n < outputs.size(); ++n) {
    double sum = weights[n];
    for (std::size_t i = 0; i < inputs.size(); ++i)
      sum += static_cast<double>(weights[(i + 1) * outputs.size() + n]) * inputs[i];
    outputs[n] = std::tanh(sum);
  }
  return outputs;
}

void reference(KernelData& data) {
  const auto pictures = data.buffer<float>("pictures");
  const auto digits = data.buffer<float>("digits");
  const auto side = static_cast<std::size_t>(data.integer("side"));
  const auto count = static_cast<std::size_t>(data.integer("pictures"));
  for (std::size_t p = 0; p < count; ++p) {
    const auto begin = pictures.begin() + static_cast<std::ptrdiff_t>(p * side * side);
    Maps maps{1, side, {begin, begin + static_cast<std::ptrdiff_t>(side * side)}};
    maps = convolve(maps, data.buffer<float>("weights1"), static_cast<std::size_t>(data.integer("maps1")));
    maps = convolve(maps, data.buffer<float>("weights2"), static_cast<std::size_t>(data.integer("maps2")));
    const std::vector<double> found =
        connect(connect(maps.cells, data.buffer<float>("weights3")), data.buffer<float>("weights4"));
    for (std::size_t d = 0; d < found.size(); ++d)
      digits[p * found.size() + d] = static_cast<float>(found[d]);
  }
}

const KernelReference registered("neural_network", &reference);

}  // namespace
}  // namespace heddle::kernels::neural_network
