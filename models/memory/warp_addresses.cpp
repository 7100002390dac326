#include "models/memory/warp_addresses.h"

#include "models/core/host_vectors.h"

namespace heddle {
namespace {

inline __attribute__((always_inline)) LaneMask match_lines(const WarpAddresses& a, std::uint64_t line,
                                                           std::uint64_t shift) {
  LaneMask found = 0;
  // If the upper words agree and adding the shift does not carry into them, comparing the lower words
  // suffices.
  if (a.one_window && a.high + shift - (a.low >> 32 << 32) <= 0xffffffffu) {
    const auto wanted = static_cast<std::uint32_t>(line) / static_cast<std::uint32_t>(kSegmentBytes);
    const auto add = static_cast<std::uint32_t>(shift);
    for (int i = 0; i < kLanes; ++i)
      found |=
          static_cast<LaneMask>((a.low_word[i] + add) / static_cast<std::uint32_t>(kSegmentBytes) == wanted)
          << i;
    return found;
  }
  for (int i = 0; i < kLanes; ++i)
    found |= static_cast<LaneMask>((a.at(i) + shift) / kSegmentBytes == line / kSegmentBytes) << i;
  return found;
}

LaneMask match_lines_narrow(const WarpAddresses& a, std::uint64_t line, std::uint64_t shift) {
  return match_lines(a, line, shift);
}
HEDDLE_AVX2 LaneMask match_lines_wide(const WarpAddresses& a, std::uint64_t line, std::uint64_t shift) {
  return match_lines(a, line, shift);
}
const auto match = host_has_avx2() ? match_lines_wide : match_lines_narrow;

}  // namespace

LaneMask lanes_of_line(const WarpAddresses& addresses, LaneMask pending, std::uint64_t line,
                       std::uint64_t shift) {
  return match(addresses, line, shift) & pending;
}

unsigned count_segments(const WarpAddresses& addresses) {
  unsigned segments = 0;
  for (LaneMask pending = addresses.mask; pending != 0; ++segments)
    pending &= ~lanes_of_line(addresses, pending, addresses.at(std::countr_zero(pending)));
  return segments;
}

}  // namespace heddle
