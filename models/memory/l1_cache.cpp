#include "models/memory/l1_cache.h"

#include <fmt/format.h>

#include <bit>

#include "models/core/error.h"

namespace heddle {
namespace {

std::size_t checked_sets(const char* key, int bytes, int ways) {
  const int set_bytes = ways * static_cast<int>(kSegmentBytes);
  if (bytes % set_bytes != 0)
    throw Error(key,
                fmt::format("{} bytes are no whole number of sets of {} lines of {} bytes", bytes, ways,
                            kSegmentBytes),
                fmt::format("a multiple of {}", set_bytes));
  return static_cast<std::size_t>(bytes / set_bytes);
}

}  // namespace

L1Cache::L1Cache(const char* key, int bytes, int ways)
    : array_(checked_sets(key, bytes, ways), static_cast<std::size_t>(ways)) {
  if (std::has_single_bit(array_.sets())) mask_ = array_.sets() - 1;
}

std::uint8_t* L1Cache::lookup(std::uint64_t line) {
  const std::size_t way = array_.find(set_of(line), line);
  if (way == CacheArray::kNoWay) return nullptr;
  array_.touch(way);
  return array_.bytes(way);
}

std::uint8_t* L1Cache::probe(std::uint64_t line) {
  const std::size_t way = array_.find(set_of(line), line);
  return way == CacheArray::kNoWay ? nullptr : array_.bytes(way);
}

void L1Cache::install(std::uint64_t line, const std::uint8_t* bytes) {
  const std::size_t way = array_.victim(set_of(line), line);
  array_.assign(way, line);
  std::memcpy(array_.bytes(way), bytes, kSegmentBytes);
}

bool L1Cache::invalidate(std::uint64_t line) {
  const std::size_t way = array_.find(set_of(line), line);
  if (way == CacheArray::kNoWay) return false;
  array_.drop(way);
  return true;
}

void L1Cache::invalidate_all() {
  for (std::size_t i = 0; i < array_.size(); ++i)
    if (array_.line(i) != CacheArray::kNoLine) array_.drop(i);
}

bool L1Cache::flip_bit(std::uint64_t address, unsigned bit) {
  std::uint8_t* bytes = probe(address / kSegmentBytes * kSegmentBytes);
  if (!bytes || bit > 7) return false;
  bytes[address % kSegmentBytes] ^= static_cast<std::uint8_t>(1u << bit);
  return true;
}

}  // namespace heddle
