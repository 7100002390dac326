#pragma once

// Holds the contents of an SM's shared memory: the data of the SM's resident CTAs. Unallocated bytes hold
// poison (a fixed bit pattern), so that a CTA never reads values of another CTA by chance. The load/store unit
// models the timing (bank_conflicts.h).

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

class SharedMemory {
 public:
  /// Granularity of allocation. Each CTA's region starts at a multiple of this size, so that an address of
  /// shared memory maps to the same bank in every CTA.
  static constexpr std::uint32_t kGranuleBytes = 256;

  SharedMemory(std::uint32_t bytes, std::uint32_t cta_slots);

  static std::uint32_t granted_bytes(std::uint32_t bytes) {
    return (bytes + kGranuleBytes - 1) / kGranuleBytes * kGranuleBytes;
  }
  bool can_allocate(std::uint32_t bytes) const;
  /// Allocates `bytes` bytes for CTA `slot` and fills them with poison. Throws InternalError if there is not
  /// enough space, or if the CTA already has an allocation.
  void allocate(CtaSlot slot, std::uint32_t bytes);
  void free(CtaSlot slot);

  std::uint8_t* data(CtaSlot slot) {
    return reinterpret_cast<std::uint8_t*>(granules_.data()) + regions_[slot.value].base;
  }
  std::uint32_t size(CtaSlot slot) const { return regions_[slot.value].size; }
  std::uint32_t capacity() const { return capacity_; }

  /// Fault injection: inverts one bit of the byte at `offset` in the CTA's shared memory. Returns false if
  /// the byte does not exist.
  bool flip_bit(CtaSlot slot, std::uint32_t offset, unsigned bit);

 private:
  struct Region {
    std::uint32_t base = 0;
    std::uint32_t granted = 0;
    std::uint32_t size = 0;
    bool used = false;
  };
  using Granule = std::array<std::uint32_t, kGranuleBytes / 4>;
  static constexpr Granule kFree = [] {
    Granule granule;
    granule.fill(kPoison);
    return granule;
  }();
  static constexpr std::uint32_t kNoRoom = ~0u;
  std::uint32_t find_room(std::uint32_t granted) const;
  std::uint32_t capacity_;
  std::vector<Granule> granules_;
  std::vector<Region> regions_;
};

}  // namespace heddle
