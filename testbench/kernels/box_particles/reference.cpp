#include <array>
#include <cmath>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::box_particles {
namespace {

using Place = std::array<double, 3>;

void reference(KernelData& data) {
  const std::int64_t side = data.integer("side");
  const auto particles = static_cast<std::size_t>(data.integer("particles"));
  const double decay = data.number("twice_alpha_squared");
  const auto offsets = data.buffer<float>("offsets");
  const auto charges = data.buffer<float>("charges");
  const auto lists = data.buffer<std::int32_t>("lists");
  const auto counts = data.buffer<std::int32_t>("counts");
  const auto forces = data.buffer<float>("forces");

  const auto box_of = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto inside = [&](std::int64_t at) { return at >= 0 && at < side; };
    return inside(x) && inside(y) && inside(z) ? (z * side + y) * side + x : std::int64_t{-1};
  };
  const std::size_t boxes = counts.size();
  std::vector<Place> corner;
  for (std::int64_t z = 0; z < side; ++z)
    for (std::int64_t y = 0; y < side; ++y)
      for (std::int64_t x = 0; x < side; ++x)
        corner.push_back({static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});

  for (std::size_t box = 0; box < boxes; ++box) {
    std::vector<std::int64_t> around{static_cast<std::int64_t>(box)};
    for (int step = 0; step < 27; ++step) {
      if (step == 13) continue;
      const auto at = [&](std::size_t axis, int offset) {
        return static_cast<std::int64_t>(corner[box][axis]) + offset - 1;
      };
      const std::int64_t other = box_of(at(0, step % 3), at(1, step / 3 % 3), at(2, step / 9));
      if (other >= 0) around.push_back(other);
    }
    counts[box] = static_cast<std::int32_t>(around.size());
    for (std::size_t n = 0; n < around.size(); ++n)
      lists[27 * box + n] = static_cast<std::int32_t>(around[n]);

    const auto place = [&](std::size_t of, std::size_t i) {
      Place p = corner[of];
      for (std::size_t axis = 0; axis < 3; ++axis) p[axis] += offsets[3 * (of * particles + i) + axis];
      return p;
    };
    for (std::size_t i = 0; i < particles; ++i) {
      const Place own = place(box, i);
      std::array<double, 4> sum{};
      for (const std::int64_t other : around) {
        for (std::size_t j = 0; j < particles; ++j) {
          const Place there = place(static_cast<std::size_t>(other), j);
          double squared = 0.0;
          for (std::size_t axis = 0; axis < 3; ++axis)
            squared += (own[axis] - there[axis]) * (own[axis] - there[axis]);
          const double part = std::exp(-decay * squared / 2.0) *
                              static_cast<double>(charges[static_cast<std::size_t>(other) * particles + j]);
          sum[0] += part;
          for (std::size_t axis = 0; axis < 3; ++axis)
            sum[axis + 1] += 2.0 * part * (own[axis] - there[axis]);
        }
      }
      for (std::size_t k = 0; k < 4; ++k) forces[4 * (box * particles + i) + k] = static_cast<float>(sum[k]);
    }
  }
}

const KernelReference registered("box_particles", &reference);

}  // namespace
}  // namespace heddle::kernels::box_particles
