#include <cmath>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::n_body {
namespace {

// Newton's law of gravitation in double precision, with softened distances. A body consists of x, y, z and
// mass.
void reference(KernelData& data) {
  const auto bodies = data.buffer<float>("old_bodies");
  const auto velocities = data.buffer<float>("velocities");
  const double seconds = data.number("seconds");
  const double softening = data.number("softening");
  const std::size_t count = bodies.size() / 4;
  std::vector<double> place(bodies.begin(), bodies.end());
  std::vector<double> speed(velocities.begin(), velocities.end());
  for (std::int64_t round = 0; round < data.integer("rounds"); ++round) {
    std::vector<double> next = place;
    for (std::size_t i = 0; i < count; ++i) {
      double pull[3] = {0.0, 0.0, 0.0};
      for (std::size_t k = 0; k < count; ++k) {
        double distance[3];
        double squared = softening;
        for (int axis = 0; axis < 3; ++axis) {
          distance[axis] = place[4 * k + axis] - place[4 * i + axis];
          squared += distance[axis] * distance[axis];
        }
        const double strength = place[4 * k + 3] / (squared * std::sqrt(squared));
        for (int axis = 0; axis < 3; ++axis) pull[axis] += distance[axis] * strength;
      }
      for (int axis = 0; axis < 3; ++axis) {
        speed[4 * i + axis] += pull[axis] * seconds;
        next[4 * i + axis] += speed[4 * i + axis] * seconds;
      }
    }
    place = next;
  }
  for (std::size_t i = 0; i < place.size(); ++i) {
    bodies[i] = static_cast<float>(place[i]);
    velocities[i] = static_cast<float>(speed[i]);
  }
}

const KernelReference registered("n_body", &reference);

}  // namespace
}  // namespace heddle::kernels::n_body
