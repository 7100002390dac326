#include <algorithm>
#include <cmath>
#include <vector>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::kmeans {
namespace {

constexpr int dimensions = 4;

// Fuses operations in the kernel's order, so that (nearly) equal distances are ordered as in the kernel.
float distance(const std::uint8_t* point, const float* centre) {
  float sum = 0.0f;
  for (int d = 0; d < dimensions; ++d) {
    const float difference = static_cast<float>(point[d]) - centre[d];
    sum = d == 0 ? difference * difference : std::fma(difference, difference, sum);
  }
  return sum;
}

void reference(KernelData& data) {
  const auto points = data.buffer<std::uint8_t>("features");
  const auto centres = data.buffer<float>("centres");
  const auto membership = data.buffer<std::int32_t>("membership");
  const std::size_t clusters = centres.size() / dimensions;
  std::fill(membership.begin(), membership.end(), -1);
  for (bool moved = true; moved;) {
    moved = false;
    std::vector<std::uint32_t> sums(centres.size());
    std::vector<std::uint32_t> members(clusters);
    for (std::size_t i = 0; i < membership.size(); ++i) {
      const std::uint8_t* point = &points[i * dimensions];
      std::size_t best = 0;
      for (std::size_t k = 1; k < clusters; ++k) {
        if (distance(point, &centres[k * dimensions]) < distance(point, &centres[best * dimensions]))
          best = k;
      }
      for (int d = 0; d < dimensions; ++d) sums[best * dimensions + d] += point[d];
      ++members[best];
      moved = moved || membership[i] != static_cast<std::int32_t>(best);
      membership[i] = static_cast<std::int32_t>(best);
    }
    for (std::size_t t = 0; t < centres.size(); ++t) {
      if (members[t / dimensions] == 0) continue;
      centres[t] = static_cast<float>(sums[t]) / static_cast<float>(members[t / dimensions]);
    }
  }
}

const KernelReference registered("kmeans", &reference);

}  // namespace
}  // namespace heddle::kernels::kmeans
