#include "models/banks/width_code.h"

#include <algorithm>
#include <array>

#include "models/isa/rows.h"

namespace heddle {
namespace {

constexpr std::array<std::uint8_t, 4> kZeros = {0b000, 0b001, 0b011, 0b111};
constexpr std::array<std::uint8_t, 3> kOnes = {0b100, 0b101, 0b110};

int bytes_of(std::uint32_t any) {
  if (any >> 24) return 4;
  if (any >> 16) return 3;
  return any >> 8 ? 2 : 1;
}

// Returns the smallest width for which all higher bytes are 0x00 in every lane of `mask`, or 0xff in every
// lane of `mask`.
Width uniform_width(const LaneVec& values, LaneMask mask) {
  const isa::RowBits bits = isa::kRows.bits(values, mask);
  const int zeros = bytes_of(bits.any), ones = bytes_of(~bits.all);
  return ones < zeros ? Width{ones, true} : Width{zeros, false};
}

// Returns the smallest number of low bytes that keep the value of every lane of `mask`. A lane keeps its value
// if all higher bits equal the sign bit of the stored bytes.
Width extended_width(const LaneVec& values, LaneMask mask) {
  std::uint32_t unlike = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t judged = 0u - ((mask >> lane) & 1u);
    const std::uint32_t sign = 0u - (values[lane] >> 31);
    unlike |= (values[lane] ^ sign) & judged;
  }
  return {bytes_of(unlike << 1), false};
}

}  // namespace

std::uint8_t Width::code() const {
  return ones ? kOnes[static_cast<std::size_t>(bytes - 1)] : kZeros[static_cast<std::size_t>(bytes - 1)];
}

Width detect_width(const LaneVec& values, LaneMask mask, WidthRule rule) {
  return rule == WidthRule::uniform ? uniform_width(values, mask) : extended_width(values, mask);
}

Width joined_width(Width held, Width written) {
  const bool full = held.bytes == kWordBytes || written.bytes == kWordBytes || held.ones != written.ones;
  return full ? Width{} : Width{std::max(held.bytes, written.bytes), held.ones};
}

}  // namespace heddle
