#include <algorithm>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::string_search {
namespace {

void reference(KernelData& data) {
  const auto text = data.buffer<std::uint8_t>("text");
  const auto pattern = data.buffer<std::uint8_t>("pattern");
  const auto found = data.buffer<std::uint8_t>("found");
  const auto counts = data.buffer<std::uint32_t>("counts");
  const std::size_t stretch = static_cast<std::size_t>(data.integer("stretch"));
  for (std::size_t at = 0; at + pattern.size() <= text.size() && at / stretch < counts.size(); ++at) {
    if (!std::equal(pattern.begin(), pattern.end(), text.begin() + static_cast<std::ptrdiff_t>(at))) continue;
    found[at] = 1;
    ++counts[at / stretch];
  }
}

const KernelReference registered("string_search", &reference);

}  // namespace
}  // namespace heddle::kernels::string_search
