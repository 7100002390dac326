#include "models/stages/cache_store.h"

#include <fmt/format.h>

#include "models/core/error.h"

namespace heddle {

CacheStore::CacheStore(const Shape& shape)
    : shape_(shape),
      ways_(static_cast<std::size_t>(shape.ways == 0 ? shape.entries : shape.ways)),
      sets_(static_cast<std::size_t>(shape.entries) / ways_),
      where_(static_cast<std::size_t>(shape.warps) * 256),
      slots_(shape.warps) {
  if (ways_ * sets_ != static_cast<std::size_t>(shape.entries) || sets_ == 0)
    throw Error("register-cache.ways", fmt::format("{} ways of {} entries", shape.ways, shape.entries),
                "a divisor of the entries, or 0 for full associativity");
  const auto copies = static_cast<std::size_t>(shape.shared ? shape.structures : shape.warps);
  lines_.resize(copies * static_cast<std::size_t>(shape.entries));
  for (CacheLine& line : lines_) line.values.fill(kPoison);
}

// Sets by register number, shifted by the warp where warps share them (assumed; 004 does not say).
CacheLine& CacheStore::place_for(WarpId warp, RegId reg) {
  const std::size_t part = shape_.shared ? structure_of(warp) : slots_.take(warp);
  const std::size_t first = part * static_cast<std::size_t>(shape_.entries);
  const std::size_t shift = shape_.shared ? warp.value / static_cast<std::uint32_t>(shape_.partitions) : 0;
  CacheLine* const set = &lines_[first + (reg.value + shift) % sets_ * ways_];
  CacheLine* oldest = set;
  for (CacheLine* line = set; line != set + ways_; ++line) {
    if (!line->used) return *line;
    if (line->order < oldest->order) oldest = line;
  }
  return *oldest;
}

void CacheStore::take(CacheLine& line, WarpId warp, RegId reg) {
  line.used = true;
  line.warp = warp;
  line.reg = reg;
  line.order = ++clock_;
  where_[key(warp, reg)] = static_cast<std::uint32_t>(index_of(line)) + 1;
}

void CacheStore::give_up(CacheLine& line) {
  where_[key(line.warp, line.reg)] = 0;
  line.used = false;
  line.valid = line.dirty = line.pending = 0;
  ++line.generation;
  line.ready = 0;
  line.values.fill(kPoison);
}

std::pair<std::size_t, std::size_t> CacheStore::range_of(WarpId warp) const {
  const auto entries = static_cast<std::size_t>(shape_.entries);
  const std::size_t part = shape_.shared ? structure_of(warp) : slots_.of(warp);
  if (part == StorageSlots::kNone) return {0, 0};
  return {part * entries, (part + 1) * entries};
}

void CacheStore::leave(WarpId warp) {
  const auto [first, end] = range_of(warp);
  for (std::size_t i = first; i < end; ++i)
    if (lines_[i].used && lines_[i].warp == warp) give_up(lines_[i]);
  slots_.leave(warp);
}

}  // namespace heddle
