#include <algorithm>
#include <array>
#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::volume_cast {
namespace {

// index of the first of two neighbouring texels, and the weight of the second texel in 256ths
struct Pair {
  int first = 0;
  int second = 0;
};
Pair pair_at(float coordinate, int n) {
  const double kept =
      std::floor(double{coordinate} * 2097152) / 2097152;  // 21 bits of a normalised coordinate are used
  const double parts = std::floor((kept * n - 0.5) * 256 + 0.5);
  const double whole = std::floor(parts / 256);
  return {static_cast<int>(whole), static_cast<int>(parts - 256 * whole)};
}
struct Volume {
  int side = 0, deep = 0;
  std::span<const std::uint8_t> bytes;

  // Outside of the volume: in x, the texel at the edge is used; in y, values are 0; in z, the volume repeats.
  int at(int x, int y, int z) const {
    if (y < 0 || y >= side) return 0;
    x = std::clamp(x, 0, side - 1);
    z = (z % deep + deep) % deep;
    return bytes[static_cast<std::size_t>((z * side + y) * side + x)];
  }
  // Filters linearly with weights in 256ths, first along z, then x, then y. If both neighbours are the same
  // texel, only the first has a weight.
  float density(float x, float y, float z) const {
    Pair px = pair_at(x, side), py = pair_at(y, side);
    const Pair pz = pair_at(z, deep);
    if (px.first < 0 || px.first + 1 >= side) px.second = 0;
    if (py.first < -1 || py.first >= side) py.second = 0;
    int sum = 0;
    for (int k = 0; k < 2; ++k) {
      const int slice = k == 0 ? 256 - pz.second : pz.second, right = (slice * px.second + 128) / 256;
      for (int i = 0; i < 2; ++i) {
        const int column = i == 0 ? slice - right : right, lower = (column * py.second + 127 + i) / 256;
        sum += (column - lower) * at(px.first + i, py.first, pz.first + k) +
               lower * at(px.first + i, py.first + 1, pz.first + k);
      }
    }
    return static_cast<float>((257 * sum + 128) / 256) / 65535.0f;
  }
};

// Rounds a double to a float. A tie goes to the float farther from 0.
float nearest(double v) {
  const auto to = static_cast<float>(v);
  const float further = std::nextafter(to, v < 0 ? -INFINITY : INFINITY);
  return std::fabs(v - to) == std::fabs(further - v) ? further : to;
}

std::array<float, 4> colour(std::span<const float> palette, float density) {
  const int n = static_cast<int>(palette.size() / 4);
  const Pair p = pair_at(density, n);
  const auto a = static_cast<std::size_t>(std::clamp(p.first, 0, n - 1) * 4);
  const auto b = static_cast<std::size_t>(std::clamp(p.first + 1, 0, n - 1) * 4);
  std::array<float, 4> c;
  for (std::size_t k = 0; k < 4; ++k)
    c[k] = nearest(((256 - p.second) * double{palette[a + k]} + p.second * double{palette[b + k]}) / 256);
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
