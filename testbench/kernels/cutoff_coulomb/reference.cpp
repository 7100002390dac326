#include <array>
#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::cutoff_coulomb {
namespace {

void reference(KernelData& data) {
  const auto side = static_cast<std::size_t>(data.integer("side"));
  const auto places = data.buffer<float>("places");
  const auto charges = data.buffer<float>("charges");
  const auto counts = data.buffer<std::int32_t>("counts");
  const auto potential = data.buffer<float>("potential");
  for (std::size_t a = 0; a < charges.size(); ++a) {
    std::array<std::size_t, 3> cell{};
    for (std::size_t axis = 0; axis < 3; ++axis) cell[axis] = static_cast<std::size_t>(places[3 * a + axis]);
    ++counts[(cell[2] * side + cell[1]) * side + cell[0]];
  }
  for (std::size_t p = 0; p < potential.size(); ++p) {
    const std::size_t cell = p / 64, thread = p % 64;
    const std::array<std::size_t, 3> corner{cell % side, cell / side % side, cell / side / side},
        step{thread % 4, thread / 4 % 4, thread / 16};
    double sum = 0.0;
    for (std::size_t a = 0; a < charges.size(); ++a) {
      double squared = 0.0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double apart = static_cast<double>(places[3 * a + axis]) - static_cast<double>(corner[axis]) -
                             0.25 * static_cast<double>(step[axis]) - 0.125;
        squared += apart * apart;
      }
      if (squared < 1.0)
        sum += static_cast<double>(charges[a]) / std::sqrt(squared) * (1.0 - squared) * (1.0 - squared);
    }
    potential[p] = static_cast<float>(sum);
  }
}

const KernelReference registered("cutoff_coulomb", &reference);

}  // namespace
}  // namespace heddle::kernels::cutoff_coulomb
