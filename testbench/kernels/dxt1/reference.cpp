#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::dxt1 {
namespace {

using Colour = std::array<int, 3>;
using Block = std::array<Colour, 16>;

std::array<float, 3> principal_axis(const Block& block) {
  std::array<std::array<float, 3>, 3> covariance{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      int products = 0, sum_i = 0, sum_j = 0;
      for (const Colour& c : block) {
        products += c[i] * c[j];
        sum_i += c[i];
        sum_j += c[j];
      }
      covariance[i][j] = static_cast<float>(products - sum_i * sum_j / 16);
    }
  std::array<float, 3> axis{1, 1, 1};
  for (int round = 0; round < 4; ++round) {
    std::array<float, 3> next{};
    float most = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& row = covariance[i];
      next[i] = row[0] * axis[0] + row[1] * axis[1] + row[2] * axis[2];
      most = std::max(most, std::fabs(next[i]));
    }
    if (most == 0) break;
    for (std::size_t i = 0; i < 3; ++i) axis[i] = next[i] / most;
  }
  return axis;
}

std::array<std::size_t, 16> order_of(const Block& block) {
  const auto axis = principal_axis(block);
  std::array<float, 16> places{};
  for (std::size_t i = 0; i < 16; ++i) {
    places[i] = axis[0] * static_cast<float>(block[i][0]) + axis[1] * static_cast<float>(block[i][1]) +
                axis[2] * static_cast<float>(block[i][2]);
  }
  std::array<std::size_t, 16> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  return order;
}

constexpr std::array<int, 3> kSteps{31, 63, 31};

// Widens a channel of five or six bits to eight bits.
int widened(int channel, std::size_t c) {
  return kSteps[c] == 31 ? channel << 3 | channel >> 2 : channel << 2 | channel >> 4;
}
int packed(const Colour& colour) { return colour[0] << 11 | colour[1] << 5 | colour[2]; }

struct Fit {
  Colour a{}, b{};
  int error = std::numeric_limits<int>::max();
  std::array<int, 16> weights{};  // weight of end colour `a` in each pixel, in thirds
};

// For pixels with these weights, returns the two end colours with the least squared error, and nine times
// this error.
Fit fit(const Block& block, const std::array<int, 16>& weights) {
  Fit result;
  int aa = 0, ab = 0, bb = 0;
  for (const int w : weights) {
    aa += w * w;
    ab += w * (3 - w);
    bb += (3 - w) * (3 - w);
  }
  const int determinant = aa * bb - ab * ab;
  if (determinant == 0) return result;
  result.error = 0;
  result.weights = weights;
  for (std::size_t c = 0; c < 3; ++c) {
    int x = 0, y = 0;
    for (std::size_t i = 0; i < 16; ++i) {
      x += weights[i] * block[i][c];
      y += (3 - weights[i]) * block[i][c];
    }
    const auto top = static_cast<float>(kSteps[c]);
    const auto channel = [&](int numerator) {
      const float value = static_cast<float>(3 * numerator) / static_cast<float>(determinant);
      return static_cast<int>(std::clamp(std::floor(value * (top / 255.0f) + 0.5f), 0.0f, top));
    };
    result.a[c] = channel(x * bb - y * ab);
    result.b[c] = channel(y * aa - x * ab);
    for (std::size_t i = 0; i < 16; ++i) {
      const int off =
          3 * block[i][c] - weights[i] * widened(result.a[c], c) - (3 - weights[i]) * widened(result.b[c], c);
      result.error += off * off;
    }
  }
  return result;
}

Fit best_fit(const Block& block) {
  const auto order = order_of(block);
  Fit best;
  for (std::size_t third = 0; third <= 16; ++third)
    for (std::size_t second = 0; second <= third; ++second)
      for (std::size_t first = 0; first <= second; ++first) {
        std::array<int, 16> weights{};
        for (std::size_t at = 0; at < 16; ++at)
          weights[order[at]] = (at < first) + (at < second) + (at < third);
        const Fit found = fit(block, weights);
        if (found.error < best.error) best = found;
      }
  return best;
}

void reference(KernelData& data) {
  const auto image = data.buffer<std::uint32_t>("image");
  const auto compressed = data.buffer<std::uint32_t>("compressed");
  const auto width = static_cast<std::size_t>(data.integer("width"));
  for (std::size_t b = 0; b < compressed.size() / 2; ++b) {
    Block block;
    for (std::size_t i = 0; i < 16; ++i) {
      const std::uint32_t pixel = image[(b / (width / 4) * 4 + i / 4) * width + b % (width / 4) * 4 + i % 4];
      for (std::size_t c = 0; c < 3; ++c) block[i][c] = static_cast<int>(pixel >> 8 * c & 255);
    }
    const Fit best = best_fit(block);
    const int a = packed(best.a), other = packed(best.b);
    constexpr std::array<std::uint32_t, 4> codes{1, 3, 2, 0}, swapped{0, 2, 3, 1};
    std::uint32_t text = 0;
    for (std::size_t i = 0; i < 16 && a != other; ++i) {
      const auto weight = static_cast<std::size_t>(best.weights[i]);
      text |= (a < other ? swapped : codes)[weight] << 2 * i;
    }
    compressed[2 * b] = static_cast<std::uint32_t>(std::max(a, other) | std::min(a, other) << 16);
    compressed[2 * b + 1] = text;
  }
}

const KernelReference registered("dxt1", &reference);

}  // namespace
}  // namespace heddle::kernels::dxt1
