#pragma once

// Models the release flag cache (Jeon 2015, 7.2): a direct-mapped cache for the flags of pir metadata
// instructions. The warps of an SM share this cache. The address of the pir determines index and tag. The cache
// in the paper has ten entries of 54 bits (together 68 bytes). A hit returns the entry even if the program has
// changed at this address.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/core/probe.h"
#include "models/isa/program.h"
#include "models/isa/release_flags.h"

namespace heddle {

/// Probe point for look-ups, replacements and clears of the release flag cache. An observer can replace the
/// result of a look-up.
struct FlagCachePoint {
  struct Owner {
    std::size_t entries = 0;
  };
  struct View {
    enum What : std::uint8_t { finds, replaces, clears };
    What what = finds;
    std::uint64_t address = 0, flags = 0;
  };
  using Answer = std::optional<std::uint64_t>;
};

class ReleaseFlagCache {
 public:
  explicit ReleaseFlagCache(std::size_t entries) : settings_{entries}, entries_(entries) {}
  ReleaseFlagCache(const ReleaseFlagCache&) = delete;
  ReleaseFlagCache& operator=(const ReleaseFlagCache&) = delete;

  std::size_t size() const { return entries_.size(); }
  /// Returns the 54 bits of the `pir` word (release flags of the instructions that follow it) at this
  /// address, or nothing on a miss.
  std::optional<std::uint64_t> find(std::uint64_t address) const {
    std::optional<std::uint64_t> flags;
    if (!entries_.empty()) {
      const Entry& entry = entries_[index(address)];
      if (entry.valid && entry.address == address) flags = entry.flags;
    }
    if (probe_.attached()) probe_.answered({FlagCachePoint::View::finds, address, 0}, flags);
    return flags;
  }
  void replace(std::uint64_t address, std::uint64_t flags) {
    if (!entries_.empty()) entries_[index(address)] = {true, address, flags & isa::kReleaseField};
    if (probe_.attached())
      probe_.notify({FlagCachePoint::View::replaces, address, flags & isa::kReleaseField});
  }
  void clear() {
    entries_.assign(entries_.size(), Entry{});
    if (probe_.attached()) probe_.notify({FlagCachePoint::View::clears, 0, 0});
  }
  /// Fault injection: inverts one bit, 0 to 53, of the flags in an entry.
  void flip(std::size_t entry, int bit) { entries_[entry].flags ^= std::uint64_t{1} << bit; }

  ProbePoint& probe() { return probe_; }

 private:
  struct Entry {
    bool valid = false;
    std::uint64_t address = 0;
    std::uint64_t flags = 0;
  };
  std::size_t index(std::uint64_t address) const {
    return address / isa::kInstructionBytes % entries_.size();
  }

  FlagCachePoint::Owner settings_;
  std::vector<Entry> entries_;
  Probe<FlagCachePoint> probe_{settings_};
};

}  // namespace heddle
