#include "models/memory/shared_memory.h"

#include <algorithm>

#include "models/core/error.h"

namespace heddle {

SharedMemory::SharedMemory(std::uint32_t bytes, std::uint32_t cta_slots)
    : capacity_(bytes), granules_(granted_bytes(bytes) / kGranuleBytes, kFree), regions_(cta_slots) {}

std::uint32_t SharedMemory::find_room(std::uint32_t granted) const {
  // First fit: a region starts at address 0 or at the end of another CTA's region.
  const auto fits = [&](std::uint32_t base) {
    if (granted > capacity_ || base > capacity_ - granted) return false;
    return std::none_of(regions_.begin(), regions_.end(), [&](const Region& r) {
      return r.used && r.granted && base < r.base + r.granted && r.base < base + granted;
    });
  };
  std::uint32_t best = fits(0) ? 0 : kNoRoom;
  for (const Region& r : regions_)
    if (r.used && r.base + r.granted < best && fits(r.base + r.granted)) best = r.base + r.granted;
  return best;
}

bool SharedMemory::can_allocate(std::uint32_t bytes) const {
  return find_room(granted_bytes(bytes)) != kNoRoom;
}

void SharedMemory::allocate(CtaSlot slot, std::uint32_t bytes) {
  Region& region = regions_.at(slot.value);
  if (region.used) throw InternalError("shared memory allocated twice for one CTA slot");
  const std::uint32_t base = find_room(granted_bytes(bytes));
  if (base == kNoRoom)
    throw Error("gpu.admission", "admits a CTA to an SM that has no room in shared memory for it",
                "a list with shared-memory");
  region = {base, granted_bytes(bytes), bytes, true};
}

void SharedMemory::free(CtaSlot slot) {
  Region& region = regions_.at(slot.value);
  std::fill_n(granules_.begin() + region.base / kGranuleBytes, region.granted / kGranuleBytes, kFree);
  region = {};
}

bool SharedMemory::flip_bit(CtaSlot slot, std::uint32_t offset, unsigned bit) {
  if (slot.value >= regions_.size() || offset >= regions_[slot.value].size || bit > 7) return false;
  data(slot)[offset] ^= static_cast<std::uint8_t>(1u << bit);
  return true;
}

}  // namespace heddle
