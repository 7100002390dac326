#include <algorithm>
#include <array>
#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::texture_filter {
namespace {

using Colour = std::array<float, 4>;

struct Picture {
  int width = 0, height = 0;
  std::span<const std::uint8_t> bytes;
  int byte(int x, int y, int k) const { return bytes[static_cast<std::size_t>(4 * (y * width + x) + k)]; }
  Colour at(int x, int y) const {
    Colour c;
    for (int k = 0; k < 4; ++k) c[static_cast<std::size_t>(k)] = static_cast<float>(byte(x, y, k)) / 255.0f;
    return c;
  }
};

int wrapped(int i, int n) { return ((i % n) + n) % n; }
int mirrored(int i, int n) {
  const int there = wrapped(i, 2 * n);
  return there < n ? there : 2 * n - 1 - there;
}

// integer part and fraction (in 256ths) of a coordinate, which counts texels from the middle of the first texel
struct Split {
  int whole = 0;
  int part = 0;
};
Split split(double texels) {
  const double parts = std::floor((texels - 0.5) * 256.0 + 0.5);
  const double whole = std::floor(parts / 256.0);
  return {static_cast<int>(whole), static_cast<int>(parts - 256.0 * whole)};
}

// Filters linearly. Outside of the picture, it is mirrored to the left and right, and repeated above and
// below. Weights have eight bits; bytes are filtered as 16-bit numbers.
Colour smooth(const Picture& p, float x, float y) {
  const auto kept = [](float at) { return std::floor(double{at} * 2097152.0) / 2097152.0; };
  const Split sx = split(kept(x) * p.width), sy = split(kept(y) * p.height);
  const int x0 = mirrored(sx.whole, p.width), x1 = mirrored(sx.whole + 1, p.width);
  const int y0 = wrapped(sy.whole, p.height), y1 = wrapped(sy.whole + 1, p.height);
  const int right = x0 == x1 ? 0 : sx.part, low = y0 == y1 ? 0 : sy.part;
  const int d = (right * low + 128) / 256, c = low - d;
  Colour result;
  for (int k = 0; k < 4; ++k) {
    const int sum = (256 - right - c) * p.byte(x0, y0, k) + (right - d) * p.byte(x1, y0, k) +
                    c * p.byte(x0, y1, k) + d * p.byte(x1, y1, k);
    result[static_cast<std::size_t>(k)] = static_cast<float>((257 * sum + 128) / 256) / 65535.0f;
  }
  return result;
}

void turn(const Picture& from, std::span<std::uint8_t> to, float angle, float scale) {
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x) {
      const float u = (static_cast<float>(x) + 0.5f) / static_cast<float>(from.width) - 0.5f;
      const float v = (static_cast<float>(y) + 0.5f) / static_cast<float>(from.height) - 0.5f;
      const float c = scale * std::fma(angle, -0.5f * angle, 1.0f), s = scale * angle;
      const Colour colour =
          smooth(from, std::fma(c, u, std::fma(-s, v, 0.5f)), std::fma(s, u, std::fma(c, v, 0.5f)));
      for (std::size_t k = 0; k < 4; ++k)
        to[static_cast<std::size_t>(4 * (y * from.width + x)) + k] =
            static_cast<std::uint8_t>(std::fma(colour[k], 255.0f, 0.5f));
    }
}

void blur(const Picture& from, std::span<float> to, int radius) {
  const Colour frame{0.25f, 0.5f, 0.75f, 1.0f};
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x) {
      float sum = 0, weights = 0;
      for (int j = -radius; j <= radius; ++j)
        for (int i = -radius; i <= radius; ++i) {
          const float weight = 1.0f / static_cast<float>(1 + i * i + j * j);
          const bool inside = x + i >= 0 && x + i < from.width && y + j >= 0 && y + j < from.height;
          const Colour p = inside ? from.at(x + i, y + j) : frame;
          sum = std::fma(weight, p[0] + p[1] + p[2], sum);
          weights += weight;
        }
      to[static_cast<std::size_t>(y * from.width + x)] = sum / weights;
    }
}

void edges(std::span<const float> from, std::span<float> to, int width, int height) {
  const auto at = [&](int x, int y) {
    return from[static_cast<std::size_t>(std::min(y, height - 1) * width + std::min(x, width - 1))];
  };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const float a = at(x + 1, y + 1) - at(x, y), b = at(x + 1, y) - at(x, y + 1);
      to[static_cast<std::size_t>(y * width + x)] = std::sqrt(std::fma(a, a, b * b));
    }
}

void reference(KernelData& data) {
  const auto turned = data.buffer<std::uint8_t>("turned");
  const auto blurred = data.buffer<float>("blurred");
  const auto counts = data.buffer<std::uint32_t>("counts");
  Picture picture{static_cast<int>(data.integer("width")), static_cast<int>(data.integer("height")),
                  data.buffer<std::uint8_t>("pixels")};
  turn(picture, turned, static_cast<float>(data.number("angle")), static_cast<float>(data.number("scale")));
  picture.bytes = turned;
  blur(picture, blurred, static_cast<int>(data.integer("radius")));
  edges(blurred, data.buffer<float>("edges"), picture.width, picture.height);
  for (std::size_t i = 0; i < turned.size(); i += 4)
    ++counts[static_cast<std::size_t>(turned[i] / 64 + turned[i + 1] / 64 * 4 + turned[i + 2] / 64 * 16)];
}

const KernelReference registered("texture_filter", &reference);

}  // namespace
}  // namespace heddle::kernels::texture_filter
