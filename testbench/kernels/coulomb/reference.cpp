#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::coulomb {
namespace {

void reference(KernelData& data) {
  const auto atoms = data.buffer<float>("atom_data");
  const auto potential = data.buffer<float>("potential");
  const auto width = static_cast<std::size_t>(data.integer("width"));
  const auto count = static_cast<std::size_t>(data.integer("atoms"));
  const double spacing = data.number("spacing");
  for (std::size_t at = 0; at < potential.size(); ++at) {
    const double x = spacing * static_cast<double>(at % width), y = spacing * static_cast<double>(at / width);
    double sum = potential[at];
    for (std::size_t i = 0; i < count; ++i) {
      const double dx = x - atoms[4 * i], dy = y - atoms[4 * i + 1];
      sum += atoms[4 * i + 3] / std::sqrt(dx * dx + dy * dy + atoms[4 * i + 2]);
    }
    potential[at] = static_cast<float>(sum);
  }
}

const KernelReference registered("coulomb", &reference);

}  // namespace
}  // namespace heddle::kernels::coulomb
