#include <array>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::lattice_boltzmann {
namespace {

// Directions in the kernel's order: first "at rest", then pairs of opposite directions, along the axes and
// along the diagonals of the faces.
constexpr std::array<std::array<std::int64_t, 3>, 10> kFirstOfPairs{{{0, 0, 0},
                                                                     {1, 0, 0},
                                                                     {0, 1, 0},
                                                                     {0, 0, 1},
                                                                     {1, 1, 0},
                                                                     {1, -1, 0},
                                                                     {1, 0, 1},
                                                                     {1, 0, -1},
                                                                     {0, 1, 1},
                                                                     {0, 1, -1}}};

struct Direction {
  std::array<std::int64_t, 3> step;
  std::size_t opposite;
  double weight;
};

std::vector<Direction> make_directions() {
  std::vector<Direction> directions{{kFirstOfPairs[0], 0, 12.0 / 36.0}};
  for (std::size_t pair = 1; pair < kFirstOfPairs.size(); ++pair) {
    const auto& [x, y, z] = kFirstOfPairs[pair];
    const double weight = x * x + y * y + z * z == 1 ? 2.0 / 36.0 : 1.0 / 36.0;
    const std::size_t number = directions.size();
    directions.push_back({{x, y, z}, number + 1, weight});
    directions.push_back({{-x, -y, -z}, number, weight});
  }
  return directions;
}

void reference(KernelData& data) {
  const std::array<std::int64_t, 3> extents{data.integer("nx"), data.integer("ny"), data.integer("nz")};
  const auto densities = data.buffer<float>("densities");
  const auto grains = data.buffer<std::uint8_t>("grains");
  const double rate = data.number("rate"), push = data.number("push");
  const std::vector<Direction> directions = make_directions();
  const std::size_t count = densities.size();

  std::vector<std::vector<double>> now(directions.size(), std::vector<double>(count));
  for (std::size_t q = 0; q < directions.size(); ++q)
    for (std::size_t i = 0; i < count; ++i)
      now[q][i] = directions[q].weight * static_cast<double>(densities[i]);
  std::vector<std::vector<double>> next = now;

  // Returns the cell from which a particle with this direction comes to cell i.
  const auto source = [&](std::size_t i, const Direction& direction) {
    std::int64_t rest = static_cast<std::int64_t>(i), at = 0, stride = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t n = extents[axis];
      at += (rest % n - direction.step[axis] + n) % n * stride;
      rest /= n;
      stride *= n;
    }
    return static_cast<std::size_t>(at);
  };

  for (std::int64_t round = 0; round < data.integer("rounds"); ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<double> f;
      for (std::size_t q = 0; q < directions.size(); ++q) f.push_back(now[q][source(i, directions[q])]);
      if (grains[i] < data.integer("solid_below")) {
        for (std::size_t q = 0; q < f.size(); ++q) next[directions[q].opposite][i] = f[q];
        continue;
      }
      double density = 0.0;
      std::array<double, 3> flow{};
      for (std::size_t q = 0; q < f.size(); ++q) {
        density += f[q];
        for (std::size_t axis = 0; axis < 3; ++axis)
          flow[axis] += static_cast<double>(directions[q].step[axis]) * f[q];
      }
      double squared = 0.0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        flow[axis] = flow[axis] / density + (axis == 0 ? push : 0.0);
        squared += flow[axis] * flow[axis];
      }
      for (std::size_t q = 0; q < f.size(); ++q) {
        double along = 0.0;
        for (std::size_t axis = 0; axis < 3; ++axis)
          along += static_cast<double>(directions[q].step[axis]) * flow[axis];
        const double balance =
            directions[q].weight * density * (1.0 + 3.0 * along + 4.5 * along * along - 1.5 * squared);
        next[q][i] = (1.0 - rate) * f[q] + rate * balance;
      }
    }
    std::swap(now, next);
  }
  const auto cells = data.buffer<float>("cells");
  for (std::size_t q = 0; q < directions.size(); ++q)
    for (std::size_t i = 0; i < count; ++i) cells[q * count + i] = static_cast<float>(now[q][i]);
}

const KernelReference registered("lattice_boltzmann", &reference);

}  // namespace
}  // namespace heddle::kernels::lattice_boltzmann
