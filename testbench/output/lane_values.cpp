#include "testbench/output/lane_values.h"

#include <fmt/format.h>

#include <bit>

namespace heddle::output {
namespace {

std::string one_value(std::uint32_t bits, isa::DataType type) {
  return type == isa::DataType::f32 ? fmt::format("{}", std::bit_cast<float>(bits))
                                    : fmt::format("0x{:x}", bits);
}

}  // namespace

std::string lane_values(const LaneVec& values, LaneMask mask, isa::DataType type) {
  if (mask == 0) return "no lane";
  const int first = std::countr_zero(mask);
  const LaneMask rest = mask & (mask - 1);
  const std::uint32_t base = values[first];
  std::uint32_t step = 0;
  bool spaced = true;
  if (rest != 0) {
    const int second = std::countr_zero(rest);
    const auto lanes = static_cast<std::uint32_t>(second - first);
    const std::uint32_t difference = values[second] - base;
    step =
        static_cast<std::uint32_t>(static_cast<std::int32_t>(difference) / static_cast<std::int32_t>(lanes));
    for (LaneMask left = rest; left; left &= left - 1) {
      const int lane = std::countr_zero(left);
      spaced &= values[lane] == base + step * static_cast<std::uint32_t>(lane - first);
    }
  }
  if (spaced && step == 0) return one_value(base, type);
  if (spaced && type != isa::DataType::f32)
    return fmt::format("{} in lane {}, step {}", one_value(base, type), first,
                       static_cast<std::int32_t>(step));
  std::string text;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (lane) text += ' ';
    text += mask >> lane & 1 ? one_value(values[lane], type) : "-";
  }
  return text;
}

}  // namespace heddle::output
