#include <array>
#include <cmath>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::euler_flow {
namespace {

using State = std::array<double, 5>;  // density, momentum, energy
using Vector = std::array<double, 3>;

double speed_squared(const State& s) { return (s[1] * s[1] + s[2] * s[2] + s[3] * s[3]) / (s[0] * s[0]); }
double pressure(const State& s) { return 0.4 * (s[4] - 0.5 * s[0] * speed_squared(s)); }
double fastest(const State& s) { return std::sqrt(speed_squared(s)) + std::sqrt(1.4 * pressure(s) / s[0]); }

// Returns how much of each quantity flows out through a cell's face with this normal.
State through(const State& s, const Vector& n) {
  const double volume = (s[1] * n[0] + s[2] * n[1] + s[3] * n[2]) / s[0];
  State flux{};
  for (std::size_t i = 0; i < 5; ++i) flux[i] = volume * s[i];
  for (std::size_t axis = 0; axis < 3; ++axis) flux[axis + 1] += pressure(s) * n[axis];
  flux[4] += volume * pressure(s);
  return flux;
}

struct Mesh {
  std::size_t cells;
  std::span<const std::int32_t> neighbours;
  std::span<const float> normals;
  State far;
  double smooth;

  State change(const std::vector<State>& states, std::size_t cell) const {
    State sum{};
    for (std::size_t face = 0; face < 4; ++face) {
      Vector n{};
      for (std::size_t axis = 0; axis < 3; ++axis) n[axis] = normals[cell + (3 * face + axis) * cells];
      const std::int32_t other = neighbours[cell + face * cells];
      if (other == -1) {
        for (std::size_t axis = 0; axis < 3; ++axis) sum[axis + 1] -= pressure(states[cell]) * n[axis];
        continue;
      }
      const State& own = states[cell];
      const State& beyond = other >= 0 ? states[static_cast<std::size_t>(other)] : far;
      const State out = through(own, n), in = through(beyond, n);
      const double damp =
          smooth * std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) * (fastest(own) + fastest(beyond));
      for (std::size_t i = 0; i < 5; ++i) sum[i] -= 0.5 * (out[i] + in[i] + damp * (own[i] - beyond[i]));
    }
    return sum;
  }
};

void reference(KernelData& data) {
  const auto cells = static_cast<std::size_t>(data.integer("cells"));
  const Mesh mesh{cells,
                  data.buffer<std::int32_t>("neighbours"),
                  data.buffer<float>("normals"),
                  {1.4, 0.6, 0.1, 0.05, 2.7},
                  data.number("smooth")};
  const auto offsets = data.buffer<float>("offsets"), volumes = data.buffer<float>("volumes"),
             states = data.buffer<float>("states");
  std::vector<State> now(cells);
  for (std::size_t c = 0; c < cells; ++c)
    for (std::size_t i = 0; i < 5; ++i)
      now[c][i] = (i == 0 ? 1.2 : i == 4 ? 2.5 : 0.3) + static_cast<double>(offsets[c + i * cells]);
  for (std::int64_t step = 0; step < data.integer("steps"); ++step) {
    const std::vector<State> before = now;
    for (int part = 1; part <= 3; ++part) {
      std::vector<State> next = before;
      for (std::size_t c = 0; c < cells; ++c) {
        const double length =
            data.number("courant") / (std::sqrt(static_cast<double>(volumes[c])) * fastest(before[c]));
        const State change = mesh.change(now, c);
        for (std::size_t i = 0; i < 5; ++i) next[c][i] += length / (4 - part) * change[i];
      }
      now = next;
    }
  }
  for (std::size_t c = 0; c < cells; ++c)
    for (std::size_t i = 0; i < 5; ++i) states[c + i * cells] = static_cast<float>(now[c][i]);
}

const KernelReference registered("euler_flow", &reference);

}  // namespace
}  // namespace heddle::kernels::euler_flow
