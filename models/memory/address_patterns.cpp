#include "models/memory/address_patterns.h"

#include <algorithm>

#include "models/isa/narrow_space.h"
#include "models/isa/rows.h"

namespace heddle {
namespace {

// Computes range and alignment of a warp's addresses if their upper 32 bits differ between lanes. Such an
// access has no pattern (number 0), so results for it are not cached.
void summarise_apart(WarpAddresses& a) {
  a.one_window = false;
  a.pattern = 0;
  a.low = a.high = a.at(0);
  std::uint64_t bits = 0, stride = 0, step = a.low;
  for (int i = 0; i < kLanes; ++i, step += a.bytes) {
    const std::uint64_t address = a.at(i);
    a.low = std::min(a.low, address);
    a.high = std::max(a.high, address);
    bits |= address;
    stride |= address ^ step;
  }
  a.aligned = (bits & (a.bytes - 1)) == 0;
  a.consecutive = stride == 0;
}

}  // namespace

AddressPatterns::AddressPatterns() {
  for (std::size_t i = 0; i < kMost; ++i) patterns_[i].number = i;
}

void AddressPatterns::make(const isa::Instruction& instruction, const isa::LaneOperands& operands,
                           LaneMask mask, WarpAddresses& out) {
  out.mask = mask;
  out.bytes = unsigned{instruction.memory.element_bytes} * instruction.memory.elements;
  const LaneVec* const high = isa::is_narrow(instruction.memory.space) ? nullptr : operands.src[0][1];
  if (!isa::kRows.add_offset(*operands.src[0][0], high, instruction.memory.offset, mask, out.low_word,
                             out.high_word))
    return summarise_apart(out);
  look_up(high ? std::uint64_t{out.high_word[0]} << 32 : 0, out);
}

void AddressPatterns::make(const std::array<std::uint64_t, kLanes>& addresses, WarpAddresses& out) {
  std::uint64_t differ = 0;
  for (int i = 0; i < kLanes; ++i) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(i)];
    out.low_word[i] = static_cast<std::uint32_t>(address);
    out.high_word[i] = static_cast<std::uint32_t>(address >> 32);
    differ |= address ^ addresses[0];
  }
  if (differ >> 32 != 0) return summarise_apart(out);
  look_up(addresses[0] >> 32 << 32, out);
}

void AddressPatterns::look_up(std::uint64_t window, WarpAddresses& a) {
  const LaneVec& at = a.low_word;
  const std::uint32_t first = at[0];
  const std::uint32_t hash = (at[1] - first) / 4 + (at[16] - first) / 16 + (at[31] - first) / 8;
  Pattern& known = patterns_[hash % kMost];
  if (known.bytes != a.bytes || !isa::kRows.has_distances(at, first, known.distance, kAllLanes))
    learn(a, known);
  std::uint32_t lowest = first - known.below, highest = first + known.above;
  const bool wraps = lowest > first || highest < first;
  if (wraps) {
    lowest = *std::min_element(at.lane, at.lane + kLanes);
    highest = *std::max_element(at.lane, at.lane + kLanes);
  }
  a.low = window | lowest;
  a.high = window | highest;
  a.aligned = ((first | known.bits) & (a.bytes - 1)) == 0;
  a.consecutive = known.consecutive && !wraps;
  a.one_window = true;
  a.pattern = known.number;
}

void AddressPatterns::learn(const WarpAddresses& a, Pattern& known) {
  const isa::RowSpread spread = isa::kRows.measure(a.low_word, a.low_word[0], kAllLanes, known.distance);
  known.bytes = a.bytes;
  known.below = 0 - static_cast<std::uint32_t>(spread.lowest);
  known.above = static_cast<std::uint32_t>(spread.highest);
  known.bits = spread.bits;
  known.consecutive = true;
  for (int i = 1; known.consecutive && i < kLanes; ++i)
    known.consecutive = known.distance[i] == static_cast<std::uint32_t>(i) * a.bytes;
  known.number += kMost;
}

}  // namespace heddle
