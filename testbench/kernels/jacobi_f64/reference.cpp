#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::jacobi_f64 {
namespace {

constexpr double damping = 0.8;

// The result equals the kernel's in every bit, because the reference fuses the same operations as the kernel.
void reference(KernelData& data) {
  const auto grid = data.buffer<double>("old_grid");
  const auto largest_change = data.buffer<std::uint64_t>("largest_change");
  const auto width = data.integer("width");
  const auto height = data.integer("height");
  const double tolerance = data.number("tolerance");
  for (bool active = true; active;) {
    active = false;
    const std::vector<double> old(grid.begin(), grid.end());
    for (std::int64_t y = 1; y < height - 1; ++y) {
      for (std::int64_t x = 1; x < width - 1; ++x) {
        const std::int64_t at = y * width + x;
        const double mean = 0.25 * ((old[at - 1] + old[at + 1]) + (old[at - width] + old[at + width]));
        grid[at] = std::fma(damping, mean - old[at], old[at]);
        const double change = std::fabs(grid[at] - old[at]);
        if (!(change > tolerance)) continue;
        active = true;
        largest_change[0] = std::max(largest_change[0], std::bit_cast<std::uint64_t>(change));
      }
    }
  }
}

const KernelReference registered("jacobi_f64", &reference);

}  // namespace
}  // namespace heddle::kernels::jacobi_f64
