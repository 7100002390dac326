#include "models/reference/lane_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "models/isa/address_map.h"

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

}  // namespace heddle::reference
