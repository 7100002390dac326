#include "models/banks/width_code.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace heddle {
namespace {

constexpr std::array<std::uint8_t, 4> kZeros = {0b000, 0b001, 0b011, 0b111};
constexpr std::array<std::uint8_t, 3> kOnes = {0b100, 0b101, 0b110};

int bytes_of(std::uint32_t any) {
  if (any >> 24) return 4;
  if (any >> 16) return 3;
  return any >> 8 ? 2 : 1;
}

using Words = std::uint32_t __attribute__((vector_size(16)));

std::uint32_t any_of(Words w) { return w[0] | w[1] | w[2] | w[3]; }

// The bits of the lanes' values, and those of their complements. Most writes are of all lanes.
Width uniform_width(const LaneVec& values, LaneMask mask) {
  Words any_one{}, any_zero{};
  for (int lane = 0; lane < kLanes; lane += 4) {
    Words w, bits;
    std::memcpy(&w, &values.lane[lane], sizeof w);
    if (mask == kAllLanes) {
      any_one |= w;
      any_zero |= ~w;
      continue;
    }
    std::memcpy(&bits, &kLaneBits.lane[lane], sizeof bits);
    const Words judged = (Words)((bits & mask) != 0);
    any_one |= w & judged;
    any_zero |= ~w & judged;
  }
  const int zeros = bytes_of(any_of(any_one)), ones = bytes_of(any_of(any_zero));
  return ones < zeros ? Width{ones, true} : Width{zeros, false};
}

// A value and its sign alike in all bits from the highest stored one on.
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

Width Width::of_code(std::uint8_t code) {
  static constexpr Width kWidths[8] = {{1, false}, {2, false}, {4, false}, {3, false},
                                       {1, true},  {2, true},  {3, true},  {4, false}};
  return kWidths[code & 7];
}

Width detect_width(const LaneVec& values, LaneMask mask, WidthRule rule) {
  return rule == WidthRule::uniform ? uniform_width(values, mask) : extended_width(values, mask);
}

Width joined_width(Width held, Width written) {
  const bool full = held.bytes == kWordBytes || written.bytes == kWordBytes || held.ones != written.ones;
  return full ? Width{} : Width{std::max(held.bytes, written.bytes), held.ones};
}

}  // namespace heddle
