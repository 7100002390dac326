#pragma once

// Shared memory of an SM: the bytes of its resident CTAs. Unallocated bytes hold poison, so that a CTA never
// sees another one's values by luck. Timing is the load/store unit's (bank_conflicts.h).

#include <cstdint>
#include <vector>

#include "models/core/ids.h"

namespace heddle {

class SharedMemory {
 public:
  /// Allocation is in steps of this many bytes, so that an address's bank does not depend on its CTA's place.
  static constexpr std::uint32_t kGranuleBytes = 256;

  SharedMemory(std::uint32_t bytes, std::uint32_t cta_slots);

  /// Allocated size for a CTA of `bytes`; the admission constraint counts in these units.
  static std::uint32_t granted_bytes(std::uint32_t bytes) {
    return (bytes + kGranuleBytes - 1) / kGranuleBytes * kGranuleBytes;
  }
  bool can_allocate(std::uint32_t bytes) const;
  /// Gives CTA `slot` `bytes` poisoned bytes; throws InternalError if there is no room or it already has
  /// some.
  void allocate(CtaSlot slot, std::uint32_t bytes);
  /// Poisons and gives back. Harmless for a CTA without shared memory.
  void free(CtaSlot slot);

  std::uint8_t* data(CtaSlot slot) { return bytes_.data() + regions_[slot.value].base; }
  std::uint32_t size(CtaSlot slot) const { return regions_[slot.value].size; }
  std::uint32_t capacity() const { return capacity_; }

  /// Debug hook: inverts one bit of the byte at `offset` of the CTA; false if the CTA has no such byte.
  bool flip_bit(CtaSlot slot, std::uint32_t offset, unsigned bit);

 private:
  struct Region {
    std::uint32_t base = 0;
    std::uint32_t granted = 0;
    std::uint32_t size = 0;
    bool used = false;
  };
  static constexpr std::uint32_t kNoRoom = ~0u;
  std::uint32_t find_room(std::uint32_t granted) const;
  void poison(std::uint32_t base, std::uint32_t bytes);

  std::uint32_t capacity_;
  std::vector<std::uint8_t> bytes_;
  std::vector<Region> regions_;
};

}  // namespace heddle
