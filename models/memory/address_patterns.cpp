#include "models/memory/address_patterns.h"

#include <algorithm>

#include "models/core/host_vectors.h"
#include "models/isa/narrow_space.h"

namespace heddle {

// Compiled twice, for all hosts and for hosts with AVX2. The loops process groups of eight lanes, because the
// compiler vectorises loops over single lanes only if it can prove that the operands do not overlap.
struct AddressPatterns::Loops {
  using Signed = std::int32_t __attribute__((vector_size(32), may_alias));

  HEDDLE_INLINE static void add_offset(int part, const LaneVec& low, const LaneVec* high, std::int64_t offset,
                                       WarpAddresses& a) {
    const auto add = static_cast<std::uint32_t>(offset), add_high = static_cast<std::uint32_t>(offset >> 32);
    const EightLanes sum = lane_words(low.lane).part[part] + add;
    lane_words(a.low_word).part[part] = sum;
    if (high)
      lane_words(a.high_word).part[part] =
          lane_words(high->lane).part[part] + add_high - reinterpret_cast<EightLanes>(sum < add);
  }
  HEDDLE_INLINE static void fill_inactive(int part, LaneMask mask, std::uint32_t some, std::uint32_t* lanes) {
    const auto active = reinterpret_cast<EightLanes>((lane_words(kLaneBits.lane).part[part] & mask) != 0);
    EightLanes& words = lane_words(lanes).part[part];
    words = (words & active) | (some & ~active);
  }
  HEDDLE_INLINE static void fill_inactive(LaneMask mask, std::uint32_t* lanes) {
    const std::uint32_t some = lanes[std::countr_zero(mask)];
    for (int part = 0; part < LaneWords::kParts; ++part) fill_inactive(part, mask, some, lanes);
  }

  // Computes the distances from the first lane. The caller ensures that they are below 2^31 bytes, unless the
  // sum wraps.
  HEDDLE_INLINE static void learn(const WarpAddresses& a, Pattern& known) {
    EightLanes bits{}, stride{}, steps{0, 1, 2, 3, 4, 5, 6, 7};
    Signed below{}, above{};
    for (int part = 0; part < LaneWords::kParts; ++part) {
      const EightLanes distance = lane_words(a.low_word).part[part] - a.low_word[0];
      lane_words(known.distance).part[part] = distance;
      bits |= distance;
      stride |= distance ^ (steps * a.bytes);
      steps += 8;
      const auto apart = reinterpret_cast<Signed>(distance);
      below = apart < below ? apart : below;
      above = apart > above ? apart : above;
    }
    std::int32_t lowest = 0, highest = 0;
    for (int i = 0; i < 8; ++i) {
      lowest = std::min<std::int32_t>(lowest, below[i]);
      highest = std::max<std::int32_t>(highest, above[i]);
    }
    known.bytes = a.bytes;
    known.below = 0 - static_cast<std::uint32_t>(lowest);
    known.above = static_cast<std::uint32_t>(highest);
    known.bits = joined(bits);
    known.consecutive = joined(stride) == 0;
    known.number += kMost;
  }

  HEDDLE_INLINE static void look_up(Pattern* patterns, std::uint64_t window, WarpAddresses& a) {
    const std::uint32_t* at = a.low_word;
    const std::uint32_t first = at[0];
    const std::uint32_t hash = (at[1] - first) / 4 + (at[16] - first) / 16 + (at[31] - first) / 8;
    Pattern& known = patterns[hash % kMost];
    const LaneWords &words = lane_words(at), &distances = lane_words(known.distance);
    const EightLanes differ =
        ((words.part[0] - first) ^ distances.part[0]) | ((words.part[1] - first) ^ distances.part[1]) |
        ((words.part[2] - first) ^ distances.part[2]) | ((words.part[3] - first) ^ distances.part[3]);
    if (known.bytes != a.bytes || joined(differ) != 0) learn(a, known);
    std::uint32_t lowest = first - known.below, highest = first + known.above;
    const bool wraps = lowest > first || highest < first;
    if (wraps) {
      lowest = *std::min_element(at, at + kLanes);
      highest = *std::max_element(at, at + kLanes);
    }
    a.low = window | lowest;
    a.high = window | highest;
    // `bytes` is a power of two, so an address can be misaligned only if the first address or a distance is.
    a.aligned = ((first | known.bits) & (a.bytes - 1)) == 0;
    a.consecutive = known.consecutive && !wraps;
    a.one_window = true;
    a.pattern = known.number;
  }

  HEDDLE_INLINE static bool in_one_window(const WarpAddresses& a) {
    const LaneWords& words = lane_words(a.high_word);
    const std::uint32_t first = a.high_word[0];
    const EightLanes differ =
        (words.part[0] ^ first) | (words.part[1] ^ first) | (words.part[2] ^ first) | (words.part[3] ^ first);
    return joined(differ) == 0;
  }
  static void summarise_apart(WarpAddresses& a) {
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

  HEDDLE_INLINE static void make(Pattern* patterns, const LaneVec& low, const LaneVec* high,
                                 std::int64_t offset, WarpAddresses& a) {
    add_offset(0, low, high, offset, a);
    add_offset(1, low, high, offset, a);
    add_offset(2, low, high, offset, a);
    add_offset(3, low, high, offset, a);
    if (a.mask != kAllLanes) {
      fill_inactive(a.mask, a.low_word);
      if (high) fill_inactive(a.mask, a.high_word);
    }
    if (high && !in_one_window(a)) return summarise_apart(a);
    look_up(patterns, high ? std::uint64_t{a.high_word[0]} << 32 : 0, a);
  }

  static void make_narrow(Pattern* patterns, const LaneVec& low, const LaneVec* high, std::int64_t offset,
                          WarpAddresses& a) {
    make(patterns, low, high, offset, a);
  }
  HEDDLE_AVX2 static void make_wide(Pattern* patterns, const LaneVec& low, const LaneVec* high,
                                    std::int64_t offset, WarpAddresses& a) {
    make(patterns, low, high, offset, a);
  }
  static decltype(&make_narrow) const run;
};

decltype(&AddressPatterns::Loops::make_narrow) const AddressPatterns::Loops::run =
    host_has_avx2() ? make_wide : make_narrow;

AddressPatterns::AddressPatterns() {
  for (std::size_t i = 0; i < kMost; ++i) patterns_[i].number = i;
}

void AddressPatterns::make(const isa::Instruction& instruction, const isa::LaneOperands& operands,
                           LaneMask mask, WarpAddresses& out) {
  out.mask = mask;
  out.bytes = unsigned{instruction.memory.element_bytes} * instruction.memory.elements;
  const LaneVec* const high = isa::is_narrow(instruction.memory.space) ? nullptr : operands.src[0][1];
  Loops::run(patterns_.data(), *operands.src[0][0], high, instruction.memory.offset, out);
}

void AddressPatterns::make(const std::array<std::uint64_t, kLanes>& addresses, WarpAddresses& out) {
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    out.low_word[i] = static_cast<std::uint32_t>(addresses[i]);
    out.high_word[i] = static_cast<std::uint32_t>(addresses[i] >> 32);
  }
  if (Loops::in_one_window(out))
    Loops::look_up(patterns_.data(), std::uint64_t{out.high_word[0]} << 32, out);
  else
    Loops::summarise_apart(out);
}

}  // namespace heddle
