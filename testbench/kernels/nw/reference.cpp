#include <algorithm>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::nw {
namespace {

void reference(KernelData& data) {
  const auto row_symbols = data.buffer<std::uint8_t>("row_symbols");
  const auto column_symbols = data.buffer<std::uint8_t>("column_symbols");
  const auto similarity = data.buffer<std::int8_t>("similarity");
  const auto score = data.buffer<std::int32_t>("score");
  const std::size_t length = row_symbols.size();
  const std::int32_t penalty = static_cast<std::int32_t>(data.integer("penalty"));
  const auto at = [&](std::size_t y, std::size_t x) -> std::int32_t& { return score[y * (length + 1) + x]; };
  for (std::size_t i = 0; i <= length; ++i) at(0, i) = at(i, 0) = -static_cast<std::int32_t>(i) * penalty;
  for (std::size_t y = 1; y <= length; ++y) {
    for (std::size_t x = 1; x <= length; ++x) {
      const std::int32_t aligned =
          at(y - 1, x - 1) + similarity[row_symbols[y - 1] * 4 + column_symbols[x - 1]];
      at(y, x) = std::max({aligned, at(y - 1, x) - penalty, at(y, x - 1) - penalty});
    }
  }
}

const KernelReference registered("nw", &reference);

}  // namespace
}  // namespace heddle::kernels::nw
