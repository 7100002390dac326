#pragma once

// Tags and data of a set-associative cache with 128-byte lines and LRU replacement. Free ways contain poison.

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/lanes.h"
#include "models/memory/warp_addresses.h"

namespace heddle {

class CacheArray {
 public:
  static constexpr std::uint64_t kNoLine = ~std::uint64_t{0};
  static constexpr std::size_t kNoWay = ~std::size_t{0};

  CacheArray(std::size_t sets, std::size_t ways)
      : sets_(sets), ways_(ways), tags_(sets * ways), lines_(tags_.size(), kFree) {}

  std::size_t sets() const { return sets_; }
  std::size_t size() const { return tags_.size(); }
  std::uint64_t line(std::size_t way) const { return tags_[way].line; }
  std::uint8_t* bytes(std::size_t way) { return reinterpret_cast<std::uint8_t*>(lines_[way].data()); }

  std::size_t find(std::size_t set, std::uint64_t line) const {
    for (std::size_t i = set * ways_; i < (set + 1) * ways_; ++i)
      if (tags_[i].line == line) return i;
    return kNoWay;
  }
  void touch(std::size_t way) { tags_[way].used = ++clock_; }
  std::uint64_t used(std::size_t way) const { return tags_[way].used; }
  std::uint64_t now() const { return clock_; }
  /// Returns the way for a new line: the way that already holds the line, otherwise a free way, otherwise the
  /// least recently used way.
  std::size_t victim(std::size_t set, std::uint64_t line) const {
    std::size_t best = set * ways_;
    for (std::size_t i = set * ways_; i < (set + 1) * ways_; ++i) {
      if (tags_[i].line == line) return i;
      if (tags_[i].used < tags_[best].used) best = i;
    }
    return best;
  }
  void assign(std::size_t way, std::uint64_t line) { tags_[way] = {line, ++clock_}; }
  void drop(std::size_t way) {
    tags_[way] = {};
    lines_[way] = kFree;
  }

 private:
  struct Tag {
    std::uint64_t line = kNoLine;
    std::uint64_t used = 0;
  };
  using Line = std::array<std::uint32_t, kSegmentBytes / 4>;
  static constexpr Line kFree = [] {
    Line line;
    line.fill(kPoison);
    return line;
  }();
  std::size_t sets_, ways_;
  std::vector<Tag> tags_;
  std::vector<Line> lines_;
  std::uint64_t clock_ = 0;
};

}  // namespace heddle
