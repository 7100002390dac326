#include <algorithm>
#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::surface_waves {
namespace {

struct Sheet {
  std::span<float> heights;
  int width = 0, height = 0, pitch = 0;
  float& at(int x, int y) const {
    return heights[static_cast<std::size_t>(std::clamp(y, 0, height - 1) * pitch +
                                            std::clamp(x, 0, width - 1))];
  }
};

void wave(const Sheet& before, const Sheet& now, const Sheet& next, float speed) {
  for (int y = 0; y < now.height; ++y)
    for (int x = 0; x < now.width; ++x) {
      const float here = now.at(x, y);
      const float around = (now.at(x - 1, y) + now.at(x + 1, y)) + (now.at(x, y - 1) + now.at(x, y + 1));
      const float bend = std::fma(-4.0f, here, around);
      next.at(x, y) = std::fma(speed, bend, std::fma(2.0f, here, -before.at(x, y)));
    }
}

// Rounds a double to a float. A tie goes to the float farther from 0.
float nearest(double v) {
  const auto to = static_cast<float>(v);
  const float further = std::nextafter(to, v < 0 ? -INFINITY : INFINITY);
  return std::fabs(v - to) == std::fabs(further - v) ? further : to;
}

// A pixel is the mean of four samples: its own sample (x, y) and the samples at (x + 1, y), (x, y + 1) and (x + 1, y +
// 1).
void picture(const Sheet& sheet, std::span<std::uint16_t> film, int moved) {
  for (int y = 0; y < sheet.height; ++y)
    for (int x = std::max(moved, 0); x < sheet.width; ++x) {
      const double sum = 0.25 * double{sheet.at(x, y)} + 0.25 * double{sheet.at(x + 1, y)} +
                         0.25 * double{sheet.at(x, y + 1)} + 0.25 * double{sheet.at(x + 1, y + 1)};
      const float grey = std::fma(nearest(sum), 10000.0f, 30000.0f);
      film[static_cast<std::size_t>(y * sheet.width + x - moved)] =
          static_cast<std::uint16_t>(std::clamp(grey, 0.0f, 60000.0f));
    }
}

void reference(KernelData& data) {
  const int width = static_cast<int>(data.integer("width")),
            height = static_cast<int>(data.integer("height"));
  const int pitch = static_cast<int>(data.integer("pitch") / 4);
  const auto sheet = [&](const char* name) { return Sheet{data.buffer<float>(name), width, height, pitch}; };
  const Sheet a = sheet("a"), b = sheet("b"), c = sheet("c");
  const auto film = data.buffer<std::uint16_t>("film");
  const auto layer = static_cast<std::size_t>(width * height);
  for (int round = 0; round < data.integer("rounds"); ++round) {
    wave(a, b, c, static_cast<float>(data.number("speed")));
    picture(c, film.subspan(static_cast<std::size_t>(round) * layer, layer), 10 * round);
    std::copy(b.heights.begin(), b.heights.end(), a.heights.begin());
    std::copy(c.heights.begin(), c.heights.end(), b.heights.begin());
  }
}

const KernelReference registered("surface_waves", &reference);

}  // namespace
}  // namespace heddle::kernels::surface_waves
