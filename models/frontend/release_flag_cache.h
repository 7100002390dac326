#pragma once

// The release flag cache (001, 7.2): flags of pir words, direct-mapped, shared by the warps of an SM, indexed
// and tagged by the word's address. Ten entries of 54 bits in the paper, 68 bytes of flags. What a lookup
// gives comes out of the entry, whatever the program says there.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/isa/program.h"
#include "models/isa/release_flags.h"

namespace heddle {

class ReleaseFlagCache {
 public:
  explicit ReleaseFlagCache(std::size_t entries) : entries_(entries) {}

  std::size_t size() const { return entries_.size(); }
  /// The 54 bits of flags that the entry of this address holds for it; nothing: a miss.
  std::optional<std::uint64_t> find(std::uint64_t address) const {
    if (entries_.empty()) return std::nullopt;
    const Entry& entry = entries_[index(address)];
    if (!entry.valid || entry.address != address) return std::nullopt;
    return entry.flags;
  }
  /// Replaces what the entry held.
  void replace(std::uint64_t address, std::uint64_t flags) {
    if (!entries_.empty()) entries_[index(address)] = {true, address, flags & isa::kReleaseField};
  }
  void clear() { entries_.assign(entries_.size(), Entry{}); }
  /// A fault: bit 0..53 of an entry's flags changes.
  void flip(std::size_t entry, int bit) { entries_[entry].flags ^= std::uint64_t{1} << bit; }

 private:
  struct Entry {
    bool valid = false;
    std::uint64_t address = 0;
    std::uint64_t flags = 0;
  };
  std::size_t index(std::uint64_t address) const {
    return address / isa::kInstructionBytes % entries_.size();
  }

  std::vector<Entry> entries_;
};

}  // namespace heddle
