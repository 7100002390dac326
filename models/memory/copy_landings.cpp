#include "models/memory/copy_landings.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "models/isa/address_map.h"

namespace heddle {
namespace {

/// Returns the address in shared memory to which a lane copies. Addresses in shared memory have 32 bits.
std::uint64_t target_of(const InFlight& copy, int lane) {
  const LaneVec& word = *copy.operands.src[isa::kCopyTarget][0];
  return word[lane] + static_cast<std::uint32_t>(isa::target_offset(*copy.instruction));
}

unsigned bytes_to_read(const InFlight& copy, int lane) {
  const isa::Instruction& i = *copy.instruction;
  return i.num_src > isa::kCopySize ? (*copy.operands.src[isa::kCopySize][0])[lane]
                                    : unsigned{i.memory.element_bytes};
}

void check_target(const AccessSite& site, int lane, std::uint64_t address, unsigned bytes) {
  const std::uint64_t offset = address - isa::kSharedWindow, size = site.launch->shared_bytes();
  if (isa::window_of(address) != isa::Window::shared || offset > size || size - offset < bytes)
    fail_access(site, lane,
                fmt::format("out of bounds: {} bytes at {:#x}, offset {} of {} bytes of shared memory", bytes,
                            address, static_cast<std::int64_t>(offset), size));
  if (address % bytes != 0)
    fail_access(
        site, lane,
        fmt::format("misaligned: {} bytes at {:#x}, which is no multiple of {}", bytes, address, bytes));
}

void check_partial_source(const AccessSite& site, const InFlight& copy, int lane, const MemoryImage* image) {
  const LaneVec* const* words = copy.operands.src[isa::kCopyFrom];
  const std::uint64_t address =
      ((*words[0])[lane] | (words[1] ? std::uint64_t{(*words[1])[lane]} << 32 : 0)) +
      static_cast<std::uint64_t>(site.instruction->memory.offset);
  const unsigned aligned = site.instruction->memory.element_bytes, bytes = bytes_to_read(copy, lane);
  if (isa::window_of(address) != isa::Window::global)
    fail_access(site, lane,
                fmt::format("an address of {} memory, {:#x}, through .global",
                            isa::name_of(isa::window_of(address)), address));
  if (address % aligned != 0)
    fail_access(
        site, lane,
        fmt::format("misaligned: {} bytes at {:#x}, which is no multiple of {}", bytes, address, aligned));
  if (image && !image->find(address, bytes))
    fail_access(site, lane, "out of bounds: " + image->explain(address, bytes));
}

}  // namespace

CopyLanes check_copy(const AccessSite& site, const InFlight& copy, const MemoryImage* image) {
  const unsigned size = site.instruction->memory.element_bytes;
  CopyLanes lanes;
  for (LaneMask left = copy.mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const unsigned bytes = bytes_to_read(copy, lane);
    if (bytes > size)
      fail_access(site, lane, fmt::format("the source size {} is larger than the copy size {}", bytes, size));
    (bytes == size ? lanes.whole : bytes != 0 ? lanes.partial : lanes.none) |= LaneMask{1} << lane;
    check_target(site, lane, target_of(copy, lane), size);
    if (bytes != 0 && bytes != size) check_partial_source(site, copy, lane, image);
  }
  return lanes;
}

void CopyLandings::add(MemoryOperation& copy, LaneMask lanes, const std::uint8_t* bytes, std::uint64_t origin,
                       Cycle due) {
  Landing& landing = landings_.take();
  landing.copy = &copy;
  landing.lanes = lanes;
  const unsigned size = copy.site.instruction->memory.element_bytes;
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::uint8_t* const to = landing.bytes.data() + isa::kMostCopyBytes * static_cast<unsigned>(lane);
    std::memset(to, 0, size);
    if (bytes) std::memcpy(to, bytes + (copy.addresses.at(lane) - origin), bytes_to_read(*copy.item, lane));
  }
  queue_.push(due, &landing);
}

MemoryOperation* CopyLandings::step(Cycle now) {
  if (!queue_.due(now) || shared_.free_from() > now) return nullptr;
  Landing& landing = *queue_.pop();
  const InFlight& item = *landing.copy->item;
  std::array<std::uint64_t, kLanes> at;
  at.fill(target_of(item, std::countr_zero(landing.lanes)));
  for (LaneMask left = landing.lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    at[static_cast<std::size_t>(lane)] = target_of(item, lane);
  }
  WarpAddresses addresses;
  addresses.mask = landing.lanes;
  addresses.bytes = item.instruction->memory.element_bytes;
  patterns_.make(at, addresses);
  shared_.land(item, addresses, landing.lanes, landing.bytes.data(), now);
  landings_.give_back(landing);
  return landing.copy;
}

}  // namespace heddle
