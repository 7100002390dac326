#include "models/reference/lane_memory.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "models/isa/address_map.h"
#include "models/reference/reference.h"

namespace heddle::reference {
namespace {

using isa::Space;
using isa::Window;
using Addresses = std::array<std::uint64_t, kLanes>;

constexpr int kSegmentShift = std::countr_zero(AccessSink::kReadBytes),
              kSectorShift = std::countr_zero(AccessSink::kWriteBytes);
constexpr std::uint64_t kSegmentBytes = std::uint64_t{1} << kSegmentShift;

std::uint8_t* within(std::span<std::uint8_t> backing, std::uint64_t offset, std::uint64_t bytes) {
  return offset <= backing.size() && backing.size() - offset >= bytes ? backing.data() + offset : nullptr;
}

constexpr const char* kNoSharedAddress =
    " (the number is no address of shared memory; as an argument, a launch file's {\"shared\": BYTES} is "
    "one)";

struct LanePlace {
  std::uint8_t* pointer = nullptr;
  std::string fault;
  bool misaligned = false;
};

LanePlace place_lane(const MemoryView& view, const isa::MemoryAccess& form, AccessKind kind, int lane,
                     std::uint64_t address) {
  const std::uint64_t bytes = std::uint64_t{form.element_bytes} * form.elements;
  const Window window = isa::window_of(address);
  const auto what = [&] { return fmt::format("{} of {} bytes at 0x{:x}", name_of(kind), bytes, address); };
  // Error text for an address outside the allocated part of its memory window (address range of shared or
  // local memory). The text states the address as an offset in this window.
  const auto outside = [&](std::uint64_t base, std::uint64_t size, const char* memory) {
    return fmt::format("{} is out of bounds: offset {} of {} bytes of {} memory", what(),
                       static_cast<std::int64_t>(address - base), size, memory);
  };
  if (form.space == Space::shared && window != Window::shared) {
    const bool below = static_cast<std::int64_t>(address - isa::kSharedWindow) < 0;
    return {nullptr, outside(isa::kSharedWindow, view.shared.size(), "shared") +
                         (below ? kNoSharedAddress : view.shared_hint)};
  }
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

std::uint32_t count_by_hash(std::span<const std::uint64_t> addresses) {
  std::uint32_t distinct = 0;
  std::array<std::uint8_t, 2 * kLanes> table{};
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const std::uint64_t segment = addresses[i] / kSegmentBytes;
    std::size_t slot = (segment * 0x9e3779b97f4a7c15u) >> 58;
    while (table[slot] != 0 && addresses[table[slot] - 1u] / kSegmentBytes != segment)
      slot = (slot + 1) % table.size();
    if (table[slot] != 0) continue;
    table[slot] = static_cast<std::uint8_t>(i + 1);
    ++distinct;
  }
  return distinct;
}

std::uint32_t count_segments(std::span<const std::uint64_t> addresses) {
  if (addresses.empty()) return 0;
  std::uint32_t distinct = 1;
  for (std::size_t i = 1; i < addresses.size(); ++i) {
    const std::uint64_t before = addresses[i - 1] / kSegmentBytes, own = addresses[i] / kSegmentBytes;
    if (own < before) return count_by_hash(addresses);
    distinct += before != own;
  }
  return distinct;
}

}  // namespace

bool resolve_together(const MemoryView& view, const isa::MemoryAccess& form, AccessKind kind,
                      ResolvedAccess& out) {
  out.base = nullptr;
  NearAddresses& near = *out.near;
  const std::uint64_t bytes = std::uint64_t{form.element_bytes} * form.elements, low = near.low,
                      size = near.span + bytes;
  if (((low | near.bits) & (bytes - 1)) != 0) return false;
  if (form.space == Space::shared) {
    out.base = within(view.shared, low - isa::kSharedWindow, size);
    out.touches_shared = true;
    return out.base != nullptr;
  }
  const Window window = isa::window_of(low);
  if (window != isa::window_of(low + near.span) || !isa::reaches(form.space, window) ||
      !isa::allows(window, kind))
    return false;
  switch (window) {
    case Window::shared:
      out.base = within(view.shared, low - isa::kSharedWindow, size);
      out.touches_shared = true;
      break;
    case Window::param:
      out.base = within(view.parameters, low - isa::kParamWindow, size);
      break;
    case Window::local:
      break;
    case Window::constant:
      out.base = view.device->find(low, size);
      break;
    case Window::global:
      out.base = view.device->find(low, size);
      if (!out.base) break;
      out.touches_global = true;
      out.touched = one_a_piece(near, kind == AccessKind::load ? kSegmentShift : kSectorShift, out.addresses);
      out.global_segments = count_segments(out.touched);
  }
  return out.base != nullptr;
}

bool resolve_apart(const MemoryView& view, const isa::MemoryAccess& form, AccessKind kind, LaneMask active,
                   const AddressWords& words, ResolvedAccess& out) {
  out.base = nullptr;
  out.touches_global = out.touches_shared = false;
  make_addresses(words, form.offset, active, out.addresses);
  Addresses global;
  std::size_t globals = 0;
  for (LaneMask left = active; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    const std::uint64_t address = out.addresses[i];
    out.pointer[i] = place_lane(view, form, kind, i, address).pointer;
    if (!out.pointer[i]) return false;
    const Window window = isa::window_of(address);
    if (window == Window::global) global[globals++] = address;
    out.touches_shared = out.touches_shared || window == Window::shared;
    out.touches_local = out.touches_local || window == Window::local;
  }
  out.touches_global = globals != 0;
  out.touched = out.addresses;
  out.global_segments = count_segments(std::span(global).first(globals));
  for (LaneMask left = ~active; left != 0; left &= left - 1)
    out.pointer[std::countr_zero(left)] = out.pointer[std::countr_zero(active)];
  return true;
}

void make_all_addresses(const AddressWords& words, std::int64_t offset, Addresses& addresses) {
  const LaneVec& low = *words.low;
  if (!words.high) {
    for (int i = 0; i < kLanes; ++i) addresses[i] = low[i] + static_cast<std::uint32_t>(offset);
    return;
  }
  const LaneVec& high = *words.high;
  for (int i = 0; i < kLanes; ++i)
    addresses[i] = (low[i] | std::uint64_t{high[i]} << 32) + static_cast<std::uint64_t>(offset);
}

void make_addresses(const AddressWords& words, std::int64_t offset, LaneMask active, Addresses& addresses) {
  make_all_addresses(words, offset, addresses);
  const std::uint64_t first = addresses[std::countr_zero(active)];
  for (LaneMask left = ~active; left != 0; left &= left - 1) addresses[std::countr_zero(left)] = first;
}

AccessFault find_fault(const MemoryView& view, const isa::MemoryAccess& form, AccessKind kind,
                       LaneMask active, const AddressWords& words) {
  Addresses addresses;
  make_addresses(words, form.offset, active, addresses);
  for (LaneMask left = active; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    LanePlace place = place_lane(view, form, kind, lane, addresses[lane]);
    if (!place.pointer) return {lane, std::move(place.fault), place.misaligned};
  }
  return {};
}

}  // namespace heddle::reference
