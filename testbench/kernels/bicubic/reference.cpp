#include <algorithm>
#include <array>
#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::bicubic {
namespace {

double b_spline(std::array<double, 4> v, double a) {
  const auto cube = [](double d) { return d * d * d; };
  const auto weight = [&](double d) {
    d = std::fabs(d);
    return d < 1 ? (cube(2 - d) - 4 * cube(1 - d)) / 6 : cube(2 - d) / 6;
  };
  return v[0] * weight(a + 1) + v[1] * weight(a) + v[2] * weight(1 - a) + v[3] * weight(2 - a);
}

double catmull_rom(std::array<double, 4> v, double a) {
  return v[1] + 0.5 * a *
                    (v[2] - v[0] +
                     a * (2 * v[0] - 5 * v[1] + 4 * v[2] - v[3] + a * (3 * (v[1] - v[2]) + v[3] - v[0])));
}

void reference(KernelData& data) {
  const int from_width = static_cast<int>(data.integer("from_width")),
            from_height = static_cast<int>(data.integer("from_height"));
  const int width = static_cast<int>(data.integer("width"));
  const float scale = static_cast<float>(data.number("scale"));
  const auto image = data.buffer<float>("image");
  const auto at = [&](int x, int y) {
    x = std::clamp(x, 0, from_width - 1), y = std::clamp(y, 0, from_height - 1);
    return static_cast<double>(image[static_cast<std::size_t>(y * from_width + x)]);
  };
  const auto enlarge = [&](std::span<float> out, double (*spline)(std::array<double, 4>, double)) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const float px = scale * static_cast<float>(static_cast<int>(i) % width),
                  py = scale * static_cast<float>(static_cast<int>(i) / width);
      const int x = static_cast<int>(px), y = static_cast<int>(py);
      std::array<double, 4> rows{};
      for (int j = 0; j < 4; ++j)
        rows[static_cast<std::size_t>(j)] =
            spline({at(x - 1, y + j - 1), at(x, y + j - 1), at(x + 1, y + j - 1), at(x + 2, y + j - 1)},
                   static_cast<double>(px) - x);
      out[i] = static_cast<float>(spline(rows, static_cast<double>(py) - y));
    }
  };
  enlarge(data.buffer<float>("enlarged"), &b_spline);
  enlarge(data.buffer<float>("smoothed"), &b_spline);
  enlarge(data.buffer<float>("through"), &catmull_rom);
}

const KernelReference registered("bicubic", &reference);

}  // namespace
}  // namespace heddle::kernels::bicubic
