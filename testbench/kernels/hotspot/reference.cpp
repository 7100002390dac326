#include <algorithm>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::hotspot {
namespace {

void reference(KernelData& data) {
  const auto temperature = data.buffer<float>("temperature");
  const auto power = data.buffer<float>("power");
  const auto rows = data.integer("rows");
  const auto columns = data.integer("columns");
  const double conductance = data.number("conductance");
  const double leak = data.number("leak");
  const double ambient = data.number("ambient");
  std::vector<double> old(temperature.begin(), temperature.end());
  std::vector<double> next(old.size());
  for (std::int64_t round = 0; round < data.integer("rounds"); ++round) {
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < columns; ++column) {
        const auto at = [&](std::int64_t r, std::int64_t c) {
          return old[std::clamp<std::int64_t>(r, 0, rows - 1) * columns +
                     std::clamp<std::int64_t>(c, 0, columns - 1)];
        };
        const double own = at(row, column);
        const double around =
            at(row - 1, column) + at(row + 1, column) + at(row, column - 1) + at(row, column + 1);
        next[row * columns + column] =
            own + conductance * (around - 4.0 * own) + leak * (ambient - own) + power[row * columns + column];
      }
    }
    std::swap(old, next);
  }
  std::transform(old.begin(), old.end(), temperature.begin(), [](double v) { return static_cast<float>(v); });
}

const KernelReference registered("hotspot", &reference);

}  // namespace
}  // namespace heddle::kernels::hotspot
