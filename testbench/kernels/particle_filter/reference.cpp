#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::particle_filter {
namespace {

struct Filter {
  std::int64_t width, height, range;
  std::vector<std::array<std::int64_t, 2>> places;
  std::vector<std::uint32_t> seeds;

  void move() {
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t axis = 0; axis < 2; ++axis) {
        seeds[i] = seeds[i] * 1664525u + 1013904223u;
        const std::int64_t by = static_cast<std::int64_t>((seeds[i] >> 16) % (2 * range + 1)) - range;
        places[i][axis] = std::clamp<std::int64_t>(places[i][axis] + by, 0, (axis == 0 ? width : height) - 1);
      }
  }

  std::uint32_t weight(std::span<const std::uint8_t> frame, std::size_t particle) const {
    std::uint32_t sum = 0;
    for (std::int64_t y = -3; y <= 3; ++y)
      for (std::int64_t x = -3; x <= 3; ++x) {
        if (x * x + y * y > 9) continue;
        const std::int64_t px = std::clamp<std::int64_t>(places[particle][0] + x, 0, width - 1),
                           py = std::clamp<std::int64_t>(places[particle][1] + y, 0, height - 1);
        const std::uint32_t bright = frame[static_cast<std::size_t>(py * width + px)];
        sum += bright * bright / 256;
      }
    return sum / 16 + 1;
  }
};

void reference(KernelData& data) {
  const auto places = data.buffer<std::int32_t>("places");
  const auto seeds = data.buffer<std::uint32_t>("seeds");
  const auto frames = data.buffer<std::uint8_t>("frames");
  const auto particles = static_cast<std::size_t>(data.integer("particles"));
  Filter filter{
      data.integer("width"), data.integer("height"), data.integer("range"), {}, {seeds.begin(), seeds.end()}};
  for (std::size_t i = 0; i < particles; ++i) filter.places.push_back({places[2 * i], places[2 * i + 1]});
  const auto pixels = static_cast<std::size_t>(filter.width * filter.height);
  std::vector<std::uint64_t> up_to(particles);
  for (std::int64_t f = 0; f < data.integer("count"); ++f) {
    filter.move();
    for (std::size_t i = 0; i < particles; ++i)
      up_to[i] = filter.weight(frames.subspan(static_cast<std::size_t>(f) * pixels, pixels), i);
    std::partial_sum(up_to.begin(), up_to.end(), up_to.begin());
    const auto before = filter.places;
    for (std::size_t i = 0; i < particles; ++i) {
      const std::uint64_t mark =
          up_to.back() * (1024 * i + static_cast<std::uint64_t>(data.integer("start"))) / (1024 * particles);
      const auto found = std::upper_bound(up_to.begin(), up_to.end() - 1, mark);
      filter.places[i] = before[static_cast<std::size_t>(found - up_to.begin())];
    }
  }
  for (std::size_t i = 0; i < particles; ++i)
    for (std::size_t axis = 0; axis < 2; ++axis)
      places[2 * i + axis] = static_cast<std::int32_t>(filter.places[i][axis]);
  std::copy(filter.seeds.begin(), filter.seeds.end(), seeds.begin());
}

const KernelReference registered("particle_filter", &reference);

}  // namespace
}  // namespace heddle::kernels::particle_filter
