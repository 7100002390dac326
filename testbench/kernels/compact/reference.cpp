#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::compact {
namespace {

void reference(KernelData& data) {
  const auto input = data.buffer<std::int32_t>("input");
  const auto kept = data.buffer<std::int32_t>("kept");
  const auto kept_count = data.buffer<std::uint32_t>("kept_count");
  const std::size_t segment = kept.size() / kept_count.size();
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (input[i] <= data.integer("threshold")) continue;
    const std::size_t cta = i / segment;
    kept[cta * segment + kept_count[cta]++] = input[i];
  }
}

const KernelReference registered("compact", &reference);

}  // namespace
}  // namespace heddle::kernels::compact
