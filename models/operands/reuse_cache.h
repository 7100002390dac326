#pragma once

// Models the reuse cache of a fixed read window, in which instructions read their sources in fixed cycles
// (Huerta 2025, section 5.3). For each bank and operand position, the cache keeps the value of the last read
// with a reuse bit (a control bit that the compiler sets at an operand). A later read of the same register of
// the same warp at the same position is a hit and needs no port of the bank. A later read without the reuse bit
// at the same bank and position invalidates the entry. A write to the register does not invalidate the entry.
// Therefore the compiler must not set the bit if the register is written before the next read.

#include <cstdint>
#include <vector>

#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

class ReuseCache {
 public:
  static constexpr std::uint16_t kNone = 0xffff;

  /// `positions`: operand positions with entries. `entries`: entries of each bank and position.
  ReuseCache(std::size_t banks, int positions, int entries)
      : positions_(static_cast<std::size_t>(positions)),
        ways_(static_cast<std::size_t>(entries)),
        tags_(banks * positions_ * ways_),
        values_(tags_.size()) {}

  /// Result of looking up a read. `hit`: the entry that holds the value. `fills`: the entry that the read
  /// must fill. Each is kNone if there is no such entry.
  struct LookUp {
    std::uint16_t hit = kNone, fills = kNone;
  };
  LookUp look_up(std::size_t bank, std::size_t position, WarpId warp, std::uint32_t reg, bool keep) {
    if (position >= positions_) return {};
    Tag* const set = &tags_[(bank * positions_ + position) * ways_];
    for (std::size_t w = 0; w < ways_; ++w)
      if (set[w].valid && set[w].warp == warp && set[w].reg == reg) {
        set[w].valid = keep;
        return {number(set[w]), kNone};
      }
    Tag& oldest = oldest_of(set);
    oldest = {keep, reg, warp, ++fills_};
    return {kNone, keep ? number(oldest) : kNone};
  }
  LaneVec& values(std::uint16_t entry) { return values_[entry]; }
  void forget(WarpId warp) {
    for (Tag& tag : tags_)
      if (tag.warp == warp) tag.valid = false;
  }

 private:
  struct Tag {
    bool valid = false;
    std::uint32_t reg = 0;
    WarpId warp{};
    std::uint64_t filled = 0;
  };
  std::uint16_t number(const Tag& tag) const { return static_cast<std::uint16_t>(&tag - tags_.data()); }
  Tag& oldest_of(Tag* set) const {
    Tag* oldest = set;
    for (std::size_t w = 1; w < ways_; ++w)
      if (set[w].filled < oldest->filled) oldest = &set[w];
    return *oldest;
  }

  std::size_t positions_, ways_;
  std::vector<Tag> tags_;
  std::vector<LaneVec> values_;
  std::uint64_t fills_ = 0;
};

}  // namespace heddle
