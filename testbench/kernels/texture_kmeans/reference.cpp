#include <cmath>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::texture_kmeans {
namespace {

void reference(KernelData& data) {
  const auto points = data.buffer<float>("points"), centres = data.buffer<float>("centres");
  const auto member = data.buffer<std::int32_t>("member"), changed = data.buffer<std::int32_t>("changed");
  const auto count = static_cast<std::size_t>(data.integer("count"));
  const auto features = static_cast<std::size_t>(data.integer("features"));
  const auto groups = static_cast<std::size_t>(data.integer("groups"));
  for (std::int64_t round = 0; round < data.integer("rounds"); ++round) {
    changed[0] = 0;
    for (std::size_t p = 0; p < count; ++p) {
      std::size_t nearest = 0;
      float least = 3.0e38f;
      for (std::size_t g = 0; g < groups; ++g) {
        float distance = 0;
        for (std::size_t f = 0; f < features; ++f) {
          const float d = points[f * count + p] - centres[g * features + f];
          distance = std::fma(d, d, distance);
        }
        if (distance < least) least = distance, nearest = g;
      }
      const auto now = static_cast<std::int32_t>(nearest);
      changed[0] += member[p] != now;
      member[p] = now;
    }
    for (std::size_t g = 0; g < groups; ++g)
      for (std::size_t f = 0; f < features; ++f) {
        float sum = 0;
        int members = 0;
        for (std::size_t p = 0; p < count; ++p)
          if (member[p] == static_cast<std::int32_t>(g)) sum += points[f * count + p], ++members;
        if (members != 0) centres[g * features + f] = sum / static_cast<float>(members);
      }
  }
}

const KernelReference registered("texture_kmeans", &reference);

}  // namespace
}  // namespace heddle::kernels::texture_kmeans
