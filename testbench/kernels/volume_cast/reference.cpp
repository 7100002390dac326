#include <algorithm>
#include <array>
#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::volume_cast {
namespace {

// Two neighbours and what the second counts, of 256 parts.
struct Pair {
  int first = 0;
  double second = 0;
};
Pair pair_at(float coordinate, int n) {
  const double from_middle = double{coordinate} * n - 0.5;
  const double whole = std::floor(from_middle);
  return {static_cast<int>(whole), std::floor((from_middle - whole) * 256 + 0.5) / 256};
}

struct Volume {
  int side = 0, deep = 0;
  std::span<const std::uint8_t> bytes;

  // Its rim goes on in the first direction, is nothing beyond it in the second, and repeats in the third.
  double at(int x, int y, int z) const {
    if (y < 0 || y >= side) return 0;
    x = std::clamp(x, 0, side - 1);
    z = (z % deep + deep) % deep;
    return static_cast<float>(bytes[static_cast<std::size_t>((z * side + y) * side + x)]) / 255.0f;
  }
  float density(float x, float y, float z) const {
    const Pair px = pair_at(x, side), py = pair_at(y, side), pz = pair_at(z, deep);
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
      const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
      const double weight =
          (i ? px.second : 1 - px.second) * (j ? py.second : 1 - py.second) * (k ? pz.second : 1 - pz.second);
      sum += weight * at(px.first + i, py.first + j, pz.first + k);
    }
    return static_cast<float>(sum);
  }
};

std::array<float, 4> colour(std::span<const float> palette, float density) {
  const int n = static_cast<int>(palette.size() / 4);
  const Pair p = pair_at(density, n);
  const auto a = static_cast<std::size_t>(std::clamp(p.first, 0, n - 1) * 4);
  const auto b = static_cast<std::size_t>(std::clamp(p.first + 1, 0, n - 1) * 4);
  std::array<float, 4> c;
  for (std::size_t k = 0; k < 4; ++k)
    c[k] = static_cast<float>((1 - p.second) * double{palette[a + k]} + p.second * double{palette[b + k]});
  return c;
}

void reference(KernelData& data) {
  const int width = static_cast<int>(data.integer("width")),
            height = static_cast<int>(data.integer("height"));
  const auto step = static_cast<float>(data.number("step")), tilt = static_cast<float>(data.number("tilt"));
  const Volume volume{static_cast<int>(data.integer("side")), static_cast<int>(data.integer("deep")),
                      data.buffer<std::uint8_t>("density")};
  const auto palette = data.buffer<float>("colours");
  const auto picture = data.buffer<float>("picture");
  for (int pixel = 0; pixel < width * height; ++pixel) {
    float x = (static_cast<float>(pixel % width) + 0.5f) / static_cast<float>(width);
    float y = (static_cast<float>(pixel / width) + 0.5f) / static_cast<float>(height);
    float z = 0, shown = 0;
    const float dx = (0.5f - x) * tilt * step, dy = (0.5f - y) * tilt * step;
    std::array<float, 3> light{};
    for (int n = 0; n < data.integer("most") && z < 1 && shown < 0.95f; ++n) {
      const std::array<float, 4> c = colour(palette, volume.density(x, y, z));
      const float share = c[3] * (1 - shown);
      for (std::size_t k = 0; k < 3; ++k) light[k] = std::fma(share, c[k], light[k]);
      shown += share;
      x += dx, y += dy, z += step;
    }
    const auto at = static_cast<std::size_t>(4 * pixel);
    std::copy(light.begin(), light.end(), picture.begin() + static_cast<std::ptrdiff_t>(at));
    picture[at + 3] = shown;
  }
}

const KernelReference registered("volume_cast", &reference);

}  // namespace
}  // namespace heddle::kernels::volume_cast
