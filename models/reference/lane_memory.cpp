#include "models/reference/lane_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "models/isa/address_map.h"

#define HEDDLE_INLINE inline __attribute__((always_inline))
#define HEDDLE_WITH_AVX2 __attribute__((target("avx2")))

namespace heddle::reference {
namespace {

using isa::Space;
using isa::Window;
using Addresses = std::array<std::uint64_t, kLanes>;

constexpr std::uint64_t kSegmentBytes = 128;

/// Bytes at an address within a window's backing, or nullptr where they do not fit.
std::uint8_t* within(std::span<std::uint8_t> backing, std::uint64_t offset, std::uint64_t bytes) {
  return offset <= backing.size() && backing.size() - offset >= bytes ? backing.data() + offset : nullptr;
}

struct LanePlace {
  std::uint8_t* pointer = nullptr;
  std::string fault;
  bool misaligned = false;
};

/// One lane by itself, with the reason if it is refused.
LanePlace place_lane(const MemoryView& view, const isa::MemoryAccess& form, AccessKind kind, int lane,
                     std::uint64_t address) {
  const std::uint64_t bytes = std::uint64_t{form.element_bytes} * form.elements;
  const Window window = isa::window_of(address);
  const auto what = [&] { return fmt::format("{} of {} bytes at 0x{:x}", name_of(kind), bytes, address); };
  // A far index of a space is still an index of that space, whatever lies where it points.
  const auto outside = [&](std::uint64_t base, std::uint64_t size, const char* memory) {
    return fmt::format("{} is out of bounds: offset {} of {} bytes of {} memory", what(),
                       static_cast<std::int64_t>(address - base), size, memory);
  };
  if (form.space == Space::shared && window != Window::shared)
    return {nullptr, outside(isa::kSharedWindow, view.shared.size(), "shared") + view.shared_hint};
  if (form.space == Space::local && window != Window::local)
    return {nullptr, outside(isa::kLocalWindow, view.local_bytes, "local")};
  if (!isa::reaches(form.space, window))
    return {nullptr, fmt::format("{}, an address of {} memory, through .{}", what(), name_of(window),
                                 isa::name_of(form.space))};
  if (!isa::allows(window, kind)) return {nullptr, fmt::format("{} to {} memory", what(), name_of(window))};
  if (address % bytes != 0) return {nullptr, fmt::format("{} is misaligned", what()), true};
  LanePlace place;
  switch (window) {
    case Window::shared:
      place.pointer = within(view.shared, address - isa::kSharedWindow, bytes);
      if (!place.pointer)
        place.fault = outside(isa::kSharedWindow, view.shared.size(), "shared") + view.shared_hint;
      return place;
    case Window::local: {
      const std::uint64_t offset = address - isa::kLocalWindow;
      if (offset + bytes <= view.local_bytes)
        place.pointer = view.local.data() + std::uint64_t{view.local_bytes} * lane + offset;
      else
        place.fault = outside(isa::kLocalWindow, view.local_bytes, "local");
      return place;
    }
    case Window::param:
      place.pointer = within(view.parameters, address - isa::kParamWindow, bytes);
      if (!place.pointer)
        place.fault = fmt::format("{} is out of bounds: offset {} of {} bytes of parameters", what(),
                                  address - isa::kParamWindow, view.parameters.size());
      return place;
    case Window::constant:
    case Window::global:
      place.pointer = view.device->find(address, bytes);
      if (!place.pointer)
        place.fault = fmt::format("{} is out of bounds: {}", what(), view.device->explain(address, bytes));
      return place;
  }
  return place;
}

/// Segments among the first `count` addresses, by a hash table twice their number, linear probing.
std::uint32_t count_distinct(const Addresses& addresses, int count) {
  constexpr std::uint64_t kEmpty = ~std::uint64_t{0};  // no segment: addresses are divided
  std::array<std::uint64_t, 2 * kLanes> table;
  table.fill(kEmpty);
  std::uint32_t distinct = 0;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t segment = addresses[static_cast<std::size_t>(i)] / kSegmentBytes;
    std::size_t slot = (segment * 0x9e3779b97f4a7c15u) >> 58;
    while (table[slot] != kEmpty && table[slot] != segment) slot = (slot + 1) % table.size();
    distinct += table[slot] == kEmpty;
    table[slot] = segment;
  }
  return distinct;
}

/// The addresses of all lanes together. Most are evenly spaced; then both ends tell everything.
struct Extent {
  std::uint64_t low = 0, high = 0;
  std::uint64_t bits = 0;  ///< a bit that is set in none of the addresses is not set here
  std::int32_t step = 0;   ///< from lane to lane, if even
  bool near = true;        ///< all within 2 GiB; else `bits`, `step` and `even` say nothing
  bool even = false;
};

/// Distances from the first lane's address, and whether all are near it. The loops of both functions are of a form
/// that compilers make vectors of.
bool distances_of(const Addresses& addresses, std::array<std::int32_t, kLanes + 1>& distances) {
  constexpr std::uint64_t kMiddle = std::uint64_t{1} << 31;
  std::uint64_t far = 0;
  for (std::size_t i = 0; i < kLanes; ++i) {
    const std::uint64_t distance = addresses[i] - addresses[0];
    distances[i] = static_cast<std::int32_t>(distance);
    far |= distance + kMiddle;
  }
  return far >> 32 == 0;
}

Extent extent_of(const Addresses& addresses) {
  std::array<std::int32_t, kLanes + 1> distances;
  Extent e;
  e.near = distances_of(addresses, distances);
  if (!e.near) return e;
  e.step = distances[1];
  // Beyond the last lane: as if there were one more.
  const auto step = static_cast<std::uint32_t>(e.step);
  distances[kLanes] = static_cast<std::int32_t>(static_cast<std::uint32_t>(distances[kLanes - 1]) + step);
  std::uint32_t differs = 0, bits = 0;
  std::int32_t low = 0, high = 0;
  for (std::size_t i = 0; i < kLanes; ++i) {
    const auto one = static_cast<std::uint32_t>(distances[i]);
    differs |= (static_cast<std::uint32_t>(distances[i + 1]) - one) ^ step;
    bits |= one;
    low = std::min(low, distances[i]);
    high = std::max(high, distances[i]);
  }
  e.low = addresses[0] + static_cast<std::uint64_t>(std::int64_t{low});
  e.high = addresses[0] + static_cast<std::uint64_t>(std::int64_t{high});
  e.bits = addresses[0] | bits;
  e.even = differs == 0;
  return e;
}

std::uint32_t count_segments(const Addresses& addresses, const Extent& extent) {
  constexpr auto kSegment = static_cast<std::int32_t>(kSegmentBytes);
  const std::uint64_t first = extent.low / kSegmentBytes;
  const std::uint64_t span = extent.high / kSegmentBytes - first;
  if (span == 0) return 1;
  if (span == 1) return 2;
  if (extent.even && extent.step >= -kSegment && extent.step <= kSegment)
    return static_cast<std::uint32_t>(span + 1);
  if (span < 64) {
    std::uint64_t seen = 0;
    for (std::uint64_t a : addresses) seen |= std::uint64_t{1} << (a / kSegmentBytes - first);
    return static_cast<std::uint32_t>(std::popcount(seen));
  }
  return count_distinct(addresses, kLanes);
}

/// Where the first of the bytes from `low` to `high` lies, if one allocation, or the CTA's shared memory, covers them all;
/// nullptr where it does not, or where a lane may be at fault.
std::uint8_t* find_together(const MemoryView& view, const isa::MemoryAccess& form, AccessKind kind,
                            std::uint64_t low, std::uint64_t high) {
  const std::uint64_t bytes = std::uint64_t{form.element_bytes} * form.elements;
  const Window window = isa::window_of(low);
  if (window != isa::window_of(high) || !isa::reaches(form.space, window) || !isa::allows(window, kind))
    return nullptr;
  switch (window) {
    case Window::shared:
      return within(view.shared, low - isa::kSharedWindow, high - low + bytes);
    case Window::param:
      return within(view.parameters, low - isa::kParamWindow, high - low + bytes);
    case Window::local:
      return nullptr;
    case Window::constant:
    case Window::global:
      break;
  }
  return view.device->find(low, high - low + bytes);
}

bool resolve_together(const MemoryView& view, const isa::MemoryAccess& form, AccessKind kind,
                      const Addresses& addresses, const Extent& extent, ResolvedAccess& out) {
  std::uint8_t* const base = find_together(view, form, kind, extent.low, extent.high);
  if (!base) return false;
  for (int i = 0; i < kLanes; ++i) out.pointer[i] = base + (addresses[i] - extent.low);
  const Window window = isa::window_of(extent.low);
  if (window == Window::global) {
    out.touches_global = true;
    out.global_segments = count_segments(addresses, extent);
  }
  out.touches_shared = window == Window::shared;
  return true;
}

/// From the lowest to the highest address of some neighbours in a half.
struct Reach {
  Reach(const EvenAddresses& addresses, int half, int from, int count)
      : lane(half * EvenAddresses::kHalf + from), lanes(count) {
    const std::int64_t step = addresses.step;
    low = addresses.first[half] + static_cast<std::uint64_t>(step * from);
    high = low + static_cast<std::uint64_t>(step * (count - 1));
    if (step < 0) std::swap(low, high);
  }
  /// Of the active lanes of the half.
  static Reach of(const EvenAddresses& addresses, int half, LaneMask active) {
    const int from = std::countr_zero(active);
    return {addresses, half, from, static_cast<int>(std::bit_width(active)) - from};
  }
  std::uint64_t segments() const { return high / kSegmentBytes - low / kSegmentBytes + 1; }
  int lane, lanes;
  std::uint64_t low, high;
};

/// Segments that both halves touch, each of which leaves none out between its ends.
std::uint64_t count_segments(const Reach& one, const Reach& other) {
  const std::uint64_t first = std::max(one.low, other.low) / kSegmentBytes,
                      last = std::min(one.high, other.high) / kSegmentBytes;
  return one.segments() + other.segments() - (first <= last ? last - first + 1 : 0);
}

bool are_neighbours(LaneMask lanes) {
  const LaneMask from_first = lanes >> std::countr_zero(lanes);
  return (from_first & (from_first + 1)) == 0;
}

/// Bits in which words of active lanes are not `begin` of their half and a step more for each lane; high words are to be
/// equal. Its loops are of a form that compilers make vectors of.
struct EvenWords {
  std::uint32_t begin[2];
  std::uint32_t step, high;
};
HEDDLE_INLINE std::uint32_t find_uneven(const LaneVec& low, const LaneVec* high, const EvenWords& even,
                                        LaneMask active) {
  constexpr int kHalf = EvenAddresses::kHalf;
  std::uint32_t differs = 0;
  const auto counts = [&](int i) { return (active & kLaneBits.lane[i]) != 0 ? ~std::uint32_t{0} : 0; };
  for (int i = 0; i < kHalf; ++i) {
    const std::uint32_t distance = even.step * static_cast<std::uint32_t>(i);
    differs |= ((low[i] - even.begin[0]) ^ distance) & counts(i);
    differs |= ((low[kHalf + i] - even.begin[1]) ^ distance) & counts(kHalf + i);
  }
  if (high)
    for (int i = 0; i < kLanes; ++i) differs |= (high->lane[i] ^ even.high) & counts(i);
  return differs;
}
/// The same of all lanes.
HEDDLE_INLINE std::uint32_t find_uneven(const LaneVec& low, const LaneVec* high, const EvenWords& even) {
  constexpr int kHalf = EvenAddresses::kHalf;
  std::uint32_t differs = 0;
  for (int i = 0; i < kHalf; ++i) {
    const std::uint32_t distance = even.step * static_cast<std::uint32_t>(i);
    differs |= ((low[i] - even.begin[0]) ^ distance) | ((low[kHalf + i] - even.begin[1]) ^ distance);
  }
  if (high)
    for (int i = 0; i < kLanes; ++i) differs |= high->lane[i] ^ even.high;
  return differs;
}
std::uint32_t some_uneven_plain(const LaneVec& low, const LaneVec* high, const EvenWords& even,
                                LaneMask active) {
  return find_uneven(low, high, even, active);
}
std::uint32_t any_uneven_plain(const LaneVec& low, const LaneVec* high, const EvenWords& even) {
  return find_uneven(low, high, even);
}
#if defined(__x86_64__)
HEDDLE_WITH_AVX2 std::uint32_t some_uneven_avx2(const LaneVec& low, const LaneVec* high,
                                                const EvenWords& even, LaneMask active) {
  return find_uneven(low, high, even, active);
}
HEDDLE_WITH_AVX2 std::uint32_t any_uneven_avx2(const LaneVec& low, const LaneVec* high,
                                               const EvenWords& even) {
  return find_uneven(low, high, even);
}
const auto some_uneven = __builtin_cpu_supports("avx2") ? some_uneven_avx2 : some_uneven_plain;
const auto any_uneven = __builtin_cpu_supports("avx2") ? any_uneven_avx2 : any_uneven_plain;
#else
const auto some_uneven = some_uneven_plain;
const auto any_uneven = any_uneven_plain;
#endif

/// Where a row of lanes begins whose first one's register word is `begin`; its last one is `reach` further. False if it leaves
/// its 4 GiB.
HEDDLE_INLINE bool begin_row(std::uint32_t begin, std::int64_t reach, const LaneVec* high,
                             const EvenWords& words, std::int64_t offset, std::uint64_t& address) {
  const std::uint32_t moved = begin + static_cast<std::uint32_t>(offset);
  address = high ? (begin | std::uint64_t{words.high} << 32) + static_cast<std::uint64_t>(offset) : moved;
  return static_cast<std::uint64_t>(std::int64_t{high ? begin : moved} + reach) >> 32 == 0;
}

/// Those of a part of the lanes: from the first two active neighbours on; a lane alone in its half has no step of its own.
std::optional<EvenAddresses> some_even_addresses(const LaneVec& low, const LaneVec* high, std::int64_t offset,
                                                 LaneMask active) {
  constexpr int kHalf = EvenAddresses::kHalf;
  const LaneMask pairs = active & active >> 1 & ~(LaneMask{1} << (kHalf - 1));
  const int pair = pairs ? std::countr_zero(pairs) : 0;
  EvenWords words{{}, pairs ? low[pair + 1] - low[pair] : 0, high ? high->lane[std::countr_zero(active)] : 0};
  EvenAddresses even;
  even.step = static_cast<std::int32_t>(words.step);
  for (int half = 0; half < 2; ++half) {
    const LaneMask lanes = active >> half * kHalf & ((LaneMask{1} << kHalf) - 1);
    if (lanes == 0) continue;
    const int from = std::countr_zero(lanes), to = static_cast<int>(std::bit_width(lanes)) - 1;
    const std::uint32_t begin = low[half * kHalf + from];
    words.begin[half] = begin - words.step * static_cast<std::uint32_t>(from);
    if (!begin_row(begin, std::int64_t{to - from} * even.step, high, words, offset, even.first[half]))
      return std::nullopt;
    even.first[half] -= static_cast<std::uint64_t>(std::int64_t{from} * even.step);
  }
  if (some_uneven(low, high, words, active) != 0) return std::nullopt;
  return even;
}

AccessFault resolve_apart(const MemoryView& view, const isa::MemoryAccess& form, AccessKind kind,
                          LaneMask active, const Addresses& addresses, ResolvedAccess& out) {
  Addresses global{};
  int globals = 0;
  for (int i = 0; i < kLanes; ++i) {
    if (!((active >> i) & 1u)) continue;
    LanePlace place = place_lane(view, form, kind, i, addresses[i]);
    if (!place.pointer) return {i, std::move(place.fault), place.misaligned};
    out.pointer[i] = place.pointer;
    switch (isa::window_of(addresses[i])) {
      case Window::global:
        global[globals++] = addresses[i];
        break;
      case Window::shared:
        out.touches_shared = true;
        break;
      case Window::local:
        out.touches_local = true;
        break;
      case Window::param:
      case Window::constant:
        break;
    }
  }
  out.touches_global = globals != 0;
  out.global_segments = count_distinct(global, globals);
  std::uint8_t* any = out.pointer[std::countr_zero(active)];
  for (int i = 0; i < kLanes; ++i) {
    if (!((active >> i) & 1u)) out.pointer[i] = any;
  }
  return {};
}

template <class T>
void gather_as(const ResolvedAccess& access, int element, LaneVec& low) {
  for (int i = 0; i < kLanes; ++i) {
    T value;
    std::memcpy(&value, access.pointer[i] + static_cast<std::size_t>(element) * sizeof(T), sizeof(T));
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): signed bytes extend
    low[i] = static_cast<std::uint32_t>(value);
  }
}

}  // namespace

std::optional<EvenAddresses> even_addresses(const LaneVec& low, const LaneVec* high, std::int64_t offset,
                                            LaneMask active) {
  constexpr int kHalf = EvenAddresses::kHalf;
  if (active != kAllLanes) return some_even_addresses(low, high, offset, active);
  const EvenWords words{{low[0], low[kHalf]}, low[1] - low[0], high ? high->lane[0] : 0};
  if (any_uneven(low, high, words) != 0) return std::nullopt;
  EvenAddresses even;
  even.step = static_cast<std::int32_t>(words.step);
  const std::int64_t reach = std::int64_t{kHalf - 1} * even.step;
  if (!begin_row(words.begin[0], reach, high, words, offset, even.first[0]) ||
      !begin_row(words.begin[1], reach, high, words, offset, even.first[1]))
    return std::nullopt;
  return even;
}

namespace {

template <bool kAll>
bool resolve_even_as(const MemoryView& view, const isa::MemoryAccess& form, AccessKind kind, LaneMask active,
                     const EvenAddresses& addresses, ResolvedAccess& out) {
  constexpr auto kSegment = static_cast<std::int32_t>(kSegmentBytes);
  constexpr int kHalf = EvenAddresses::kHalf;
  const LaneMask first = kAll ? (LaneMask{1} << kHalf) - 1 : active & ((LaneMask{1} << kHalf) - 1),
                 second = kAll ? first : active >> kHalf;
  // Where one half has no active lane, the other stands for both.
  const Reach one = kAll ? Reach(addresses, 0, 0, kHalf)
                         : Reach::of(addresses, first ? 0 : 1, first ? first : second),
              other = kAll ? Reach(addresses, 1, 0, kHalf)
                           : Reach::of(addresses, second ? 1 : 0, second ? second : first);
  // 1. what may be at fault, or leaves segments out
  const std::uint64_t bytes = std::uint64_t{form.element_bytes} * form.elements;
  if (((one.low | other.low | static_cast<std::uint32_t>(addresses.step)) & (bytes - 1)) != 0) return false;
  if (!kAll && !(are_neighbours(first ? first : second) && are_neighbours(second ? second : first)))
    return false;
  const bool far =
      addresses.step < -kSegment || addresses.step > kSegment;  // each lane has a segment of its own
  if (far && first && second && !addresses.joined()) return false;
  const std::uint64_t low = std::min(one.low, other.low), high = std::max(one.high, other.high);
  std::uint8_t* const base = find_together(view, form, kind, low, high);
  if (!base) return false;
  // 2. what it touches
  const Window window = isa::window_of(low);
  out.touches_global = window == Window::global;
  out.touches_shared = window == Window::shared;
  out.touches_local = false;
  out.global_segments = 0;
  if (out.touches_global)
    out.global_segments = static_cast<std::uint32_t>(far ? static_cast<std::uint64_t>(count_lanes(active))
                                                     : first && second ? count_segments(one, other)
                                                                       : one.segments());
  // 3. where the lanes' data lie
  out.same = addresses.step == 0 && kind == AccessKind::load;
  const bool words = bytes == 4 && (addresses.step == 4 || out.same || (one.lanes == 1 && other.lanes == 1));
  out.consecutive = words && kAll && addresses.step == 4 && addresses.joined();
  if (words && form.elements == 1 && kind != AccessKind::atomic) {
    out.run[0] = {one.lane, out.consecutive ? kLanes : one.lanes, base + (one.low - low)};
    out.run[1] = {other.lane, other.lanes, base + (other.low - low)};
    out.runs = out.consecutive || !(first && second) ? 1 : 2;
    return true;
  }
  out.runs = 0;
  if (kAll) {
    for (int half = 0; half < 2; ++half) {
      std::uint8_t* const begin = base + (addresses.first[half] - low);
      for (int i = 0; i < kHalf; ++i)
        out.pointer[half * kHalf + i] = begin + std::int64_t{addresses.step} * i;
    }
    return true;
  }
  out.pointer.fill(base + (addresses.at(std::countr_zero(active)) - low));
  for (LaneMask left = active; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    out.pointer[lane] = base + (addresses.at(lane) - low);
  }
  return true;
}

}  // namespace

bool resolve_even(const MemoryView& view, const isa::MemoryAccess& form, AccessKind kind, LaneMask active,
                  const EvenAddresses& addresses, ResolvedAccess& out) {
  return active == kAllLanes ? resolve_even_as<true>(view, form, kind, active, addresses, out)
                             : resolve_even_as<false>(view, form, kind, active, addresses, out);
}

void ResolvedAccess::spread() {
  pointer.fill(run[0].pointer);
  for (int r = 0; r < runs; ++r)
    for (int i = 0; i < run[r].lanes; ++i) pointer[run[r].lane + i] = run[r].pointer + (same ? 0 : 4 * i);
}

AccessFault resolve(const MemoryView& view, const isa::MemoryAccess& form, AccessKind kind, LaneMask active,
                    Addresses& addresses, ResolvedAccess& out) {
  out.touches_global = out.touches_shared = out.touches_local = out.consecutive = false;
  out.global_segments = 0;
  out.runs = 0;
  if (active != kAllLanes) {
    const std::uint64_t some = addresses[std::countr_zero(active)];
    for (int i = 0; i < kLanes; ++i) {
      const std::uint64_t takes_part = 0 - std::uint64_t{(active >> i) & 1u};
      addresses[i] = some ^ ((addresses[i] ^ some) & takes_part);
    }
  }
  const Extent extent = extent_of(addresses);
  const std::uint64_t bytes = std::uint64_t{form.element_bytes} * form.elements;
  if (extent.near && (extent.bits & (bytes - 1)) == 0 &&
      resolve_together(view, form, kind, addresses, extent, out)) {
    out.consecutive = extent.even && extent.step == 4 && bytes == 4;
    return {};
  }
  return resolve_apart(view, form, kind, active, addresses, out);
}

void gather(const ResolvedAccess& access, const isa::MemoryAccess& form, int element, bool is_signed,
            int bits, LaneVec& low, LaneVec* high) {
  if (form.element_bytes == 4 && access.consecutive) {
    std::memcpy(low.lane, access.pointer[0], sizeof low.lane);
  } else {
    switch (form.element_bytes) {
      case 1:
        if (is_signed)
          gather_as<std::int8_t>(access, element, low);
        else
          gather_as<std::uint8_t>(access, element, low);
        break;
      case 2:
        if (is_signed)
          gather_as<std::int16_t>(access, element, low);
        else
          gather_as<std::uint16_t>(access, element, low);
        break;
      default: {
        const std::size_t offset = static_cast<std::size_t>(element) * form.element_bytes;
        for (int i = 0; i < kLanes; ++i) std::memcpy(&low.lane[i], access.pointer[i] + offset, 4);
      }
    }
  }
  if (bits < 32) {
    for (auto& word : low.lane) word &= (1u << bits) - 1;
  }
  if (!high) return;
  if (form.element_bytes == 8) {
    const std::size_t offset = static_cast<std::size_t>(element) * 8 + 4;
    for (int i = 0; i < kLanes; ++i) std::memcpy(&high->lane[i], access.pointer[i] + offset, 4);
  } else {
    for (int i = 0; i < kLanes; ++i)
      high->lane[i] = is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(low[i]) >> 31) : 0;
  }
}

namespace {

// Most runs are of all lanes, or of a half.
template <class Copy>
void for_each_run(const ResolvedAccess& access, Copy&& copy) {
  for (int r = 0; r < access.runs; ++r) {
    const auto& [lane, lanes, pointer] = access.run[r];
    if (lanes == kLanes)
      copy(lane, pointer, sizeof(LaneVec));
    else if (lanes == kLanes / 2)
      copy(lane, pointer, sizeof(LaneVec) / 2);
    else
      copy(lane, pointer, static_cast<std::size_t>(lanes) * sizeof(std::uint32_t));
  }
}

}  // namespace

void load_runs(const ResolvedAccess& access, LaneVec& into) {
  if (access.same) {
    for (int r = 0; r < access.runs; ++r) {
      const auto& [lane, lanes, pointer] = access.run[r];
      std::uint32_t word;
      std::memcpy(&word, pointer, sizeof word);
      if (lanes == kLanes / 2)
        std::fill_n(into.lane + lane, kLanes / 2, word);
      else
        std::fill_n(into.lane + lane, lanes, word);
    }
    return;
  }
  for_each_run(access, [&](int lane, const std::uint8_t* pointer, std::size_t bytes) {
    std::memcpy(into.lane + lane, pointer, bytes);
  });
}

void store_runs(const ResolvedAccess& access, const LaneVec& from) {
  for_each_run(access, [&](int lane, std::uint8_t* pointer, std::size_t bytes) {
    std::memcpy(pointer, from.lane + lane, bytes);
  });
}

bool equal_runs(const ResolvedAccess& access, const LaneVec& words) {
  bool equal = true;
  for_each_run(access, [&](int lane, const std::uint8_t* pointer, std::size_t bytes) {
    equal = equal && std::memcmp(words.lane + lane, pointer, bytes) == 0;
  });
  return equal;
}

void scatter(std::uint8_t* pointer, int element_bytes, std::uint32_t low, std::uint32_t high) {
  switch (element_bytes) {
    case 1:
      *pointer = static_cast<std::uint8_t>(low);
      break;
    case 2: {
      const auto half = static_cast<std::uint16_t>(low);
      std::memcpy(pointer, &half, 2);
      break;
    }
    case 8:
      std::memcpy(pointer + 4, &high, 4);
      [[fallthrough]];
    default:
      std::memcpy(pointer, &low, 4);
  }
}

}  // namespace heddle::reference
