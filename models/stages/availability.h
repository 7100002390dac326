#pragma once

// Models the free list of one register bank, with one bit for each entry (Jeon 2015, 7.1). Subarrays that are
// on are filled first, so that other subarrays can sleep (Jeon 2015, 8.2).

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/core/power_state.h"

namespace heddle {

class Availability {
 public:
  enum class Packing : std::uint8_t {
    subarrays,  ///< among subarrays that are on: lowest free entry of the lowest subarray with a free entry
    /// the next free entry after the entry that was allocated last, even if its subarray is off
    round_robin,
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  Availability(std::uint32_t entries, std::uint32_t subarrays, Packing packing);

  /// Reserves the lowest `entries` entries of the bank for registers that are not renamed. Must be called
  /// before any entry is allocated.
  void reserve(std::uint32_t entries);
  std::uint32_t reserved() const { return reserved_; }

  std::uint32_t entries() const { return entries_; }
  std::uint32_t free() const { return free_; }
  std::uint32_t subarray_of(std::uint32_t entry) const { return entry / length_; }
  bool is_free(std::uint32_t entry) const { return bits_[entry / 64] >> (entry % 64) & 1; }

  /// Returns the entry to allocate; kNone: no subarray of `awake` (subarrays that are on) has a free entry.
  std::uint32_t choose(DomainSet awake) const {
    return packing_ == Packing::subarrays && awake == ~DomainSet{0} ? lowest() : choose_among(awake);
  }
  /// Returns the lowest sleeping subarray with a free entry; 0: no entry is free. For use when choose() has
  /// returned kNone.
  DomainSet to_wake(DomainSet awake) const;
  std::uint32_t lowest() const {
    if (free_ == 0) return kNone;
    std::size_t word = 0;
    while (bits_[word] == 0) ++word;
    return static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(bits_[word]));
  }

  /// take(): allocates an entry. Returns true if no other entry of its subarray is in use. give(): frees an
  /// entry. Returns true if no entry of its subarray is in use any more.
  bool take(std::uint32_t entry) {
    if (!is_free(entry)) fail("an entry is allocated twice");
    bits_[entry / 64] &= ~(std::uint64_t{1} << (entry % 64));
    --free_;
    last_ = entry;
    const std::uint32_t s = subarray_of(entry);
    occupied_ |= DomainSet{1} << s;
    return taken_[s]++ == 0 && !(pinned_ >> s & 1);
  }
  bool pin(std::uint32_t entry) {
    const std::uint32_t s = subarray_of(entry);
    pinned_ |= DomainSet{1} << s;
    return pins_[s]++ == 0 && taken_[s] == 0;
  }
  bool give(std::uint32_t entry) {
    if (entry < reserved_) return unpin(entry);
    if (is_free(entry)) fail("a free entry is freed");
    bits_[entry / 64] |= std::uint64_t{1} << (entry % 64);
    ++free_;
    const std::uint32_t s = subarray_of(entry);
    if (--taken_[s] != 0) return false;
    occupied_ &= ~(DomainSet{1} << s);
    return !(pinned_ >> s & 1);
  }
  /// occupied() and chosen() return the subarrays with an entry in use. chosen() ignores the entries that
  /// reserve() has reserved.
  DomainSet occupied() const { return occupied_ | pinned_; }
  DomainSet chosen() const { return occupied_; }

 private:
  [[noreturn]] static void fail(const char* what);
  bool unpin(std::uint32_t entry);
  std::uint32_t choose_among(DomainSet awake) const;
  std::uint32_t first_free(std::uint32_t from, std::uint32_t end) const;
  std::uint32_t next_in_turn() const;
  std::uint32_t end_of(std::uint32_t subarray) const { return std::min(entries_, (subarray + 1) * length_); }
  bool has_room(std::uint32_t subarray) const { return taken_[subarray] < room_[subarray]; }

  std::uint32_t entries_, length_, free_;
  Packing packing_;
  std::uint32_t last_;
  DomainSet occupied_ = 0, pinned_ = 0;
  std::uint32_t reserved_ = 0;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint32_t> taken_, pins_;
  std::vector<std::uint32_t> room_;
};

}  // namespace heddle
