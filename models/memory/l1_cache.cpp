#include "models/memory/l1_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "models/core/error.h"

namespace heddle {

L1Cache::L1Cache(const L1Parameters& parameters)
    : ways_(static_cast<std::size_t>(parameters.ways)),
      sets_(static_cast<std::size_t>(parameters.bytes) / kSegmentBytes / ways_) {
  if (sets_ == 0 || sets_ * ways_ * kSegmentBytes != static_cast<std::size_t>(parameters.bytes))
    throw Error("l1.bytes",
                fmt::format("{} bytes are no whole number of sets of {} lines of {} bytes", parameters.bytes,
                            ways_, kSegmentBytes),
                fmt::format("a multiple of {}", ways_ * kSegmentBytes));
  if (std::has_single_bit(sets_)) mask_ = sets_ - 1;
  tags_.resize(sets_ * ways_);
  data_.resize(tags_.size() * kSegmentBytes);
  for (std::size_t i = 0; i < tags_.size(); ++i) drop(i);
}

std::size_t L1Cache::find(std::uint64_t line) const {
  const std::size_t first = first_way(line);
  for (std::size_t i = first; i < first + ways_; ++i)
    if (tags_[i].line == line) return i;
  return tags_.size();
}

std::uint8_t* L1Cache::lookup(std::uint64_t line) {
  const std::size_t way = find(line);
  if (way == tags_.size()) return nullptr;
  tags_[way].used = ++clock_;
  return bytes_of(way);
}

std::uint8_t* L1Cache::probe(std::uint64_t line) {
  const std::size_t way = find(line);
  return way == tags_.size() ? nullptr : bytes_of(way);
}

void L1Cache::install(std::uint64_t line, const std::uint8_t* bytes) {
  const std::size_t first = first_way(line);
  std::size_t victim = find(line);
  if (victim == tags_.size())
    victim = static_cast<std::size_t>(
        std::min_element(tags_.begin() + static_cast<std::ptrdiff_t>(first),
                         tags_.begin() + static_cast<std::ptrdiff_t>(first + ways_),
                         [](const Way& a, const Way& b) { return a.used < b.used; }) -
        tags_.begin());
  tags_[victim] = {line, ++clock_};
  std::memcpy(bytes_of(victim), bytes, kSegmentBytes);
}

void L1Cache::drop(std::size_t way) {
  tags_[way] = {};
  for (std::size_t at = 0; at < kSegmentBytes; at += 4) std::memcpy(bytes_of(way) + at, &kPoison, 4);
}

bool L1Cache::invalidate(std::uint64_t line) {
  const std::size_t way = find(line);
  if (way == tags_.size()) return false;
  drop(way);
  return true;
}

void L1Cache::invalidate_all() {
  for (std::size_t i = 0; i < tags_.size(); ++i)
    if (tags_[i].line != kNoLine) drop(i);
}

bool L1Cache::flip_bit(std::uint64_t address, unsigned bit) {
  std::uint8_t* bytes = probe(address / kSegmentBytes * kSegmentBytes);
  if (!bytes || bit > 7) return false;
  bytes[address % kSegmentBytes] ^= static_cast<std::uint8_t>(1u << bit);
  return true;
}

}  // namespace heddle
