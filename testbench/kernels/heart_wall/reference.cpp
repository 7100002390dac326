#include <algorithm>
#include <cmath>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::heart_wall {
namespace {

constexpr int kSide = 11;

struct Frame {
  std::vector<int> pixels;
  int width = 0, height = 0;

  int at(int x, int y) const {
    return x < 0 || x >= width || y < 0 || y >= height ? 0 : pixels[static_cast<std::size_t>(y * width + x)];
  }
};

Frame frame_of(std::span<const std::uint8_t> speckle, int width, int height, int zoom) {
  Frame frame{{}, width, height};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int from_x = (width * 128 + (x - width / 2) * zoom) >> 9;
      const int from_y = (height * 128 + (y - height / 2) * zoom) >> 9;
      frame.pixels.push_back(speckle[static_cast<std::size_t>(from_y * width + from_x)]);
    }
  return frame;
}

struct Point {
  int x, y;
  std::vector<int> looks;  // template of the point: kSide x kSide pixels
};

std::vector<int> pixels_around(const Frame& frame, int x, int y) {
  std::vector<int> pixels;
  for (int row = -kSide / 2; row <= kSide / 2; ++row)
    for (int column = -kSide / 2; column <= kSide / 2; ++column)
      pixels.push_back(frame.at(x + column, y + row));
  return pixels;
}

// The sums are integers, so they are exact. The results that are computed from them are rounded after each
// step, as in the kernel.
float correlation(const std::vector<int>& wanted, const std::vector<int>& found) {
  int products = 0, sum = 0, squares = 0, wanted_sum = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    products += wanted[i] * found[i];
    squares += found[i] * found[i];
    sum += found[i];
    wanted_sum += wanted[i];
  }
  const float mean = static_cast<float>(sum) / static_cast<float>(wanted.size());
  const float spread = static_cast<float>(squares) - mean * static_cast<float>(sum);
  if (spread <= 0) return 0;
  return (static_cast<float>(products) - mean * static_cast<float>(wanted_sum)) / std::sqrt(spread);
}

float track(Point& point, const Frame& frame, int radius) {
  float best = -1.0e30f;
  int moved_x = 0, moved_y = 0;
  std::vector<int> seen;
  for (int y = -radius; y <= radius; ++y)
    for (int x = -radius; x <= radius; ++x) {
      std::vector<int> found = pixels_around(frame, point.x + x, point.y + y);
      const float score = correlation(point.looks, found);
      if (score <= best) continue;
      best = score;
      moved_x = x;
      moved_y = y;
      seen = std::move(found);
    }
  point.x = std::clamp(point.x + moved_x, kSide, frame.width - kSide);
  point.y = std::clamp(point.y + moved_y, kSide, frame.height - kSide);
  for (std::size_t i = 0; i < seen.size(); ++i) point.looks[i] = (3 * point.looks[i] + seen[i]) / 4;
  return best;
}

void reference(KernelData& data) {
  const auto speckle = data.buffer<std::uint8_t>("speckle");
  const auto points = data.buffer<std::int32_t>("points");
  const auto templates = data.buffer<float>("templates");
  const auto scores = data.buffer<float>("scores");
  const auto whole = [&data](const char* name) { return static_cast<int>(data.integer(name)); };
  const auto frame_at = [&](int zoom) { return frame_of(speckle, whole("width"), whole("height"), zoom); };
  const Frame first = frame_at(whole("rest"));
  for (std::size_t p = 0; p < scores.size(); ++p) {
    Point point{points[2 * p], points[2 * p + 1], {}};
    point.looks = pixels_around(first, point.x, point.y);
    for (int beat = 1; beat <= whole("frames"); ++beat)
      scores[p] = track(point, frame_at(whole("rest") + beat * whole("stretch")), whole("radius"));
    points[2 * p] = point.x;
    points[2 * p + 1] = point.y;
    std::copy(point.looks.begin(), point.looks.end(),
              templates.begin() + static_cast<std::ptrdiff_t>(p * kSide * kSide));
  }
}

const KernelReference registered("heart_wall", &reference);

}  // namespace
}  // namespace heddle::kernels::heart_wall
