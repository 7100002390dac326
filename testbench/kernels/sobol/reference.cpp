#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::sobol {
namespace {

// Computes each number directly, not from the previous number: the XOR of the direction vectors of all bits
// that are set in the Gray code of its index.
void reference(KernelData& data) {
  const auto count = static_cast<std::size_t>(data.integer("count")),
             dimensions = static_cast<std::size_t>(data.integer("dimensions"));
  const auto directions = data.buffer<std::uint32_t>("directions"), bits = data.buffer<std::uint32_t>("bits");
  const auto points = data.buffer<float>("points");
  for (std::size_t d = 0; d < dimensions; ++d)
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t x = 0;
      for (std::size_t k = 0; k < 32; ++k)
        if ((i ^ (i >> 1)) >> k & 1) x ^= directions[32 * d + k];
      bits[d * count + i] = x;
      points[dimensions * i + d] = static_cast<float>(x >> 8) / 16777216.0f;
    }
}

const KernelReference registered("sobol", &reference);

}  // namespace
}  // namespace heddle::kernels::sobol
