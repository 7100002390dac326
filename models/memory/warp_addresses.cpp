#include "models/memory/warp_addresses.h"

#include "models/isa/narrow_space.h"

// The loops over lanes are compiled twice, for any host and for hosts with AVX2; which runs is decided once.
#if defined(__x86_64__) && defined(__GNUC__)
#define HEDDLE_WITH_AVX2 __attribute__((target("avx2")))
#endif

namespace heddle {
namespace {

#define HEDDLE_INLINE inline __attribute__((always_inline))

HEDDLE_INLINE void add_offset(const LaneVec& low, const LaneVec& high, std::int64_t offset,
                              WarpAddresses& out) {
  const auto wide = static_cast<std::uint64_t>(offset);
  for (int i = 0; i < kLanes; ++i) out.at[i] = (low.lane[i] | std::uint64_t{high.lane[i]} << 32) + wide;
  if (out.mask != kAllLanes) {
    const std::uint64_t some = out.at[std::countr_zero(out.mask)];
    for (int i = 0; i < kLanes; ++i) out.at[i] = (out.mask >> i) & 1u ? out.at[i] : some;
  }
}

HEDDLE_INLINE void summarise_lanes(WarpAddresses& a) {
  const std::uint64_t first = a.at[0];
  std::uint64_t differ = 0, stride = 0, step = first;
  for (int i = 0; i < kLanes; ++i) {
    differ |= a.at[i] ^ first;
    stride |= a.at[i] ^ step;
    step += a.bytes;
    a.low_word[i] = static_cast<std::uint32_t>(a.at[i]);
  }
  a.consecutive = stride == 0;
  a.one_window = differ >> 32 == 0;
  // `bytes` is a power of 2: some address is not a multiple of it where the first is not, or where bits below it differ.
  a.aligned = ((first | differ) & (a.bytes - 1)) == 0;
  const std::uint64_t last = step - a.bytes;
  if (differ == 0 || (a.consecutive && last > first)) {
    a.low = first;
    a.high = differ == 0 ? first : last;
    return;
  }
  if (a.one_window) {
    std::uint32_t smallest = a.low_word[0], largest = a.low_word[0];
    for (int i = 0; i < kLanes; ++i) {
      smallest = std::min(smallest, a.low_word[i]);
      largest = std::max(largest, a.low_word[i]);
    }
    a.low = (first >> 32 << 32) | smallest;
    a.high = (first >> 32 << 32) | largest;
  } else {
    a.low = *std::min_element(a.at, a.at + kLanes);
    a.high = *std::max_element(a.at, a.at + kLanes);
  }
}

/// Both for addresses of 32 bits, which are one window. In words of their own, which overlap nothing: the loops vectorise.
HEDDLE_INLINE void narrow_addresses(const LaneVec& low, std::int64_t offset, WarpAddresses& a) {
  alignas(64) std::uint32_t words[kLanes];
  const auto narrow = static_cast<std::uint32_t>(offset);
  for (int i = 0; i < kLanes; ++i) words[i] = low.lane[i] + narrow;
  if (a.mask != kAllLanes) {
    const std::uint32_t some = words[std::countr_zero(a.mask)];
    for (int i = 0; i < kLanes; ++i) words[i] = (a.mask >> i) & 1u ? words[i] : some;
  }
  const std::uint32_t first = words[0], bytes = a.bytes;
  std::uint32_t differ = 0, stride = 0, smallest = first, largest = first;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    differ |= words[i] ^ first;
    stride |= words[i] ^ (first + i * bytes);
    smallest = std::min(smallest, words[i]);
    largest = std::max(largest, words[i]);
  }
  for (int i = 0; i < kLanes; ++i) a.low_word[i] = words[i];
  for (int i = 0; i < kLanes; ++i) a.at[i] = words[i];
  a.aligned = ((first | differ) & (bytes - 1)) == 0;
  a.consecutive = stride == 0 && smallest == first;  // no step wraps
  a.one_window = true;
  a.low = smallest;
  a.high = largest;
}

HEDDLE_INLINE LaneMask match_lines(const WarpAddresses& a, std::uint64_t line, std::uint64_t shift) {
  LaneMask found = 0;
  // Where the upper words agree (and adding the shift does not carry into them), the lower ones decide.
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
    found |= static_cast<LaneMask>((a.at[i] + shift) / kSegmentBytes == line / kSegmentBytes) << i;
  return found;
}

struct LaneLoops {
  void (*add_offset)(const LaneVec&, const LaneVec&, std::int64_t, WarpAddresses&);
  void (*narrow)(const LaneVec&, std::int64_t, WarpAddresses&);
  void (*summarise)(WarpAddresses&);
  LaneMask (*match_lines)(const WarpAddresses&, std::uint64_t, std::uint64_t);
};

constexpr LaneLoops kPlain{
    [](const LaneVec& l, const LaneVec& h, std::int64_t o, WarpAddresses& a) { add_offset(l, h, o, a); },
    [](const LaneVec& l, std::int64_t o, WarpAddresses& a) { narrow_addresses(l, o, a); },
    [](WarpAddresses& a) { summarise_lanes(a); },
    [](const WarpAddresses& a, std::uint64_t l, std::uint64_t s) { return match_lines(a, l, s); }};

#ifdef HEDDLE_WITH_AVX2
HEDDLE_WITH_AVX2 void add_offset_avx2(const LaneVec& l, const LaneVec& h, std::int64_t o, WarpAddresses& a) {
  add_offset(l, h, o, a);
}
HEDDLE_WITH_AVX2 void narrow_avx2(const LaneVec& l, std::int64_t o, WarpAddresses& a) {
  narrow_addresses(l, o, a);
}
HEDDLE_WITH_AVX2 void summarise_avx2(WarpAddresses& a) { summarise_lanes(a); }
HEDDLE_WITH_AVX2 LaneMask match_lines_avx2(const WarpAddresses& a, std::uint64_t l, std::uint64_t s) {
  return match_lines(a, l, s);
}
const LaneLoops loops = __builtin_cpu_supports("avx2")
                            ? LaneLoops{add_offset_avx2, narrow_avx2, summarise_avx2, match_lines_avx2}
                            : kPlain;
#else
constexpr LaneLoops loops = kPlain;
#endif

}  // namespace

void make_addresses(const isa::Instruction& instruction, const isa::LaneOperands& operands, LaneMask mask,
                    WarpAddresses& out) {
  out.mask = mask;
  out.bytes = unsigned{instruction.memory.element_bytes} * instruction.memory.elements;
  const LaneVec* const high = isa::is_narrow(instruction.memory.space) ? nullptr : operands.src[0][1];
  if (!high) return loops.narrow(*operands.src[0][0], instruction.memory.offset, out);
  loops.add_offset(*operands.src[0][0], *high, instruction.memory.offset, out);
  loops.summarise(out);
}

void summarise(WarpAddresses& addresses) { loops.summarise(addresses); }

LaneMask lanes_of_line(const WarpAddresses& addresses, LaneMask pending, std::uint64_t line,
                       std::uint64_t shift) {
  return loops.match_lines(addresses, line, shift) & pending;
}

unsigned count_segments(const WarpAddresses& addresses) {
  unsigned segments = 0;
  for (LaneMask pending = addresses.mask; pending != 0; ++segments)
    pending &= ~lanes_of_line(addresses, pending, addresses.at[std::countr_zero(pending)]);
  return segments;
}

}  // namespace heddle
