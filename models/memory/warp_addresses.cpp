#include "models/memory/warp_addresses.h"

#include "models/isa/rows.h"

namespace heddle {

LaneMask lanes_of_line(const WarpAddresses& addresses, LaneMask pending, std::uint64_t line,
                       std::uint64_t shift) {
  const WarpAddresses& a = addresses;
  if (a.one_window && a.high + shift - (a.low >> 32 << 32) <= 0xffffffffu) {
    constexpr int kSegmentShift = std::countr_zero(kSegmentBytes);
    return isa::kRows.in_block(a.low_word, static_cast<std::uint32_t>(shift), kSegmentShift,
                               static_cast<std::uint32_t>(line) >> kSegmentShift) &
           pending;
  }
  LaneMask found = 0;
  for (int i = 0; i < kLanes; ++i)
    found |= static_cast<LaneMask>((a.at(i) + shift) / kSegmentBytes == line / kSegmentBytes) << i;
  return found & pending;
}

unsigned count_segments(const WarpAddresses& addresses) {
  unsigned segments = 0;
  for (LaneMask pending = addresses.mask; pending != 0; ++segments)
    pending &= ~lanes_of_line(addresses, pending, addresses.at(std::countr_zero(pending)));
  return segments;
}

}  // namespace heddle
