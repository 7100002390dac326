#include "models/stages/cache_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "models/core/error.h"

namespace heddle {

CacheStore::CacheStore(const Shape& shape)
    : shape_(shape),
      ways_(static_cast<std::size_t>(shape.ways == 0 ? shape.entries : shape.ways)),
      sets_(static_cast<std::size_t>(shape.entries) / ways_),
      set_shape_{static_cast<int>(ways_), shape.lru},
      where_(static_cast<std::size_t>(shape.warps) * 256),
      slots_(shape.warps) {
  if (ways_ * sets_ != static_cast<std::size_t>(shape.entries) || sets_ == 0)
    throw Error("register-cache.ways", fmt::format("{} ways of {} entries", shape.ways, shape.entries),
                "a divisor of the entries, or 0 for full associativity");
  const auto copies = static_cast<std::size_t>(shape.shared ? shape.structures : shape.warps);
  lines_.resize(copies * static_cast<std::size_t>(shape.entries));
  for (CacheLine& line : lines_) line.values.fill(kPoison);
}

// Returns the index of a register's cache set: the register number modulo the number of sets. If warps share
// the sets, the warp number is added first (assumed: Bailey 2018 does not define the index).
std::size_t CacheStore::set_of(std::size_t part, WarpId warp, RegId reg) const {
  if (part == StorageSlots::kNone) return kNoSet;
  const std::size_t shift = shape_.shared ? warp.value / static_cast<std::uint32_t>(shape_.partitions) : 0;
  return part * sets_ + (reg.value + shift) % sets_;
}

CacheLine& CacheStore::place_for(WarpId warp, RegId reg) {
  const std::size_t set = set_of(shape_.shared ? structure_of(warp) : slots_.take(warp), warp, reg);
  CacheLine* const first = &lines_[set * ways_];
  CacheLine* chosen = first;
  for (CacheLine* line = first; line != first + ways_; ++line) {
    if (!line->used) {
      chosen = line;
      break;
    }
    if (line->order < chosen->order) chosen = line;
  }
  return watched_.empty() ? *chosen : *seen_choice(set, chosen);
}

void CacheStore::take(CacheLine& line, WarpId warp, RegId reg) {
  line.used = true;
  line.warp = warp;
  line.reg = reg;
  line.order = ++clock_;
  where_[key(warp, reg)] = static_cast<std::uint32_t>(index_of(line)) + 1;
  if (!watched_.empty()) report(line, CacheSetPoint::View::takes);
}

void CacheStore::give_up(CacheLine& line) {
  if (!watched_.empty()) report(line, CacheSetPoint::View::gives_up);
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

void CacheStore::probes(const ProbeScope& scope) {
  Gauge lines{"lines", "register in each line", Gauge::Form::registers, lines_.size()};
  lines.row = static_cast<std::uint64_t>(shape_.entries);
  lines.read = [this](Cycle, std::vector<std::uint64_t>& values) {
    for (const CacheLine& line : lines_)
      values.push_back(line.used ? Gauge::register_number(line.warp, line.reg) : 0);
  };
  scope.show(std::move(lines));
  if (!shape_.shared) scope.part("slots").add(slots_.probe());
  for (std::size_t set = 0; set < std::min(kWatchedSets, lines_.size() / ways_); ++set) {
    if (set == watched_.size()) watched_.push_back(std::make_unique<SetProbe>(set_shape_));
    scope.part("set" + std::to_string(set)).add(*watched_[set]);
  }
}

CacheLine* CacheStore::seen_find(WarpId warp, RegId reg, CacheLine* line) {
  const std::size_t set = set_of(shape_.shared ? structure_of(warp) : slots_.of(warp), warp, reg);
  const SetProbe* const probe = watched(set);
  if (!probe) return line;
  CacheSetPoint::Answer answer;
  if (line) answer = {true, static_cast<std::uint32_t>(index_of(*line) % ways_), line->valid, line->dirty};
  probe->answered({CacheSetPoint::View::finds, static_cast<std::uint32_t>(key(warp, reg)), 0, 0, false},
                  answer);
  return answer.hit ? &lines_[set * ways_ + answer.way] : nullptr;
}

CacheLine* CacheStore::seen_choice(std::size_t set, CacheLine* line) {
  const SetProbe* const probe = watched(set);
  if (!probe) return line;
  CacheSetPoint::Answer answer;
  answer.way = static_cast<std::uint32_t>(index_of(*line) % ways_);
  probe->answered({CacheSetPoint::View::chooses, 0, 0, 0, false}, answer);
  return &lines_[set * ways_ + answer.way];
}

void CacheStore::report(const CacheLine& line, CacheSetPoint::View::What what, LaneMask lanes,
                        bool dead) const {
  const std::size_t index = index_of(line);
  if (const SetProbe* const probe = watched(index / ways_))
    probe->notify({what, static_cast<std::uint32_t>(key(line.warp, line.reg)),
                   static_cast<std::uint32_t>(index % ways_), lanes, dead});
}

}  // namespace heddle
