#pragma once

// Tags and data of a set-associative cache with 128-byte lines and LRU replacement. Free ways contain poison.

#include <cstdint>
#include <cstring>
#include <vector>

#include "models/core/lanes.h"
#include "models/memory/warp_addresses.h"

namespace heddle {

class CacheArray {
 public:
  static constexpr std::uint64_t kNoLine = ~std::uint64_t{0};
  static constexpr std::size_t kNoWay = ~std::size_t{0};

  CacheArray(std::size_t sets, std::size_t ways) : sets_(sets), ways_(ways), tags_(sets * ways) {
    data_.resize(tags_.size() * kSegmentBytes);
    for (std::size_t i = 0; i < tags_.size(); ++i) drop(i);
  }

  std::size_t sets() const { return sets_; }
  std::size_t size() const { return tags_.size(); }
  std::uint64_t line(std::size_t way) const { return tags_[way].line; }
  std::uint8_t* bytes(std::size_t way) { return data_.data() + way * kSegmentBytes; }

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
    for (std::size_t at = 0; at < kSegmentBytes; at += 4) std::memcpy(bytes(way) + at, &kPoison, 4);
  }

 private:
  struct Tag {
    std::uint64_t line = kNoLine;
    std::uint64_t used = 0;
  };
  std::size_t sets_, ways_;
  std::vector<Tag> tags_;
  std::vector<std::uint8_t> data_;
  std::uint64_t clock_ = 0;
};

}  // namespace heddle
