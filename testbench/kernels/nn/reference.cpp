#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::nn {
namespace {

// A place's key is made of its distance and its index. Places are therefore ordered by distance, and at equal
// distances by index.
void reference(KernelData& data) {
  const auto places = data.buffer<float>("places");
  const auto distances = data.buffer<float>("distances");
  const auto best = data.buffer<std::uint64_t>("best");
  const float latitude = static_cast<float>(data.number("latitude"));
  const float longitude = static_cast<float>(data.number("longitude"));
  best[0] = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t i = 0; i < distances.size(); ++i) {
    const float dx = places[2 * i] - latitude;
    const float dy = places[2 * i + 1] - longitude;
    distances[i] = std::sqrt(std::fma(dx, dx, dy * dy));
    const std::uint64_t key =
        static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(distances[i])) << 32 | i;
    best[0] = std::min(best[0], key);
  }
}

const KernelReference registered("nn", &reference);

}  // namespace
}  // namespace heddle::kernels::nn
