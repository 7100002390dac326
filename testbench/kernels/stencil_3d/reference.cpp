#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::stencil_3d {
namespace {

void reference(KernelData& data) {
  const auto volume = data.buffer<float>("volume");
  const auto nx = data.integer("nx");
  const auto ny = data.integer("ny");
  const auto nz = data.integer("nz");
  const double centre_weight = data.number("centre_weight");
  const double side_weight = data.number("side_weight");
  std::vector<double> old(volume.begin(), volume.end());
  std::vector<double> next = old;
  for (std::int64_t round = 0; round < data.integer("rounds"); ++round) {
    for (std::int64_t z = 1; z < nz - 1; ++z) {
      for (std::int64_t y = 1; y < ny - 1; ++y) {
        for (std::int64_t x = 1; x < nx - 1; ++x) {
          const std::int64_t at = (z * ny + y) * nx + x;
          double around = 0.0;
          for (const std::int64_t step : {std::int64_t{1}, nx, nx * ny})
            around += old[at - step] + old[at + step];
          next[at] = centre_weight * old[at] + side_weight * around;
        }
      }
    }
    old = next;
  }
  for (std::size_t i = 0; i < old.size(); ++i) volume[i] = static_cast<float>(old[i]);
}

const KernelReference registered("stencil_3d", &reference);

}  // namespace
}  // namespace heddle::kernels::stencil_3d
