#pragma once

// Models the lines, tags and replacement of a register cache. A line holds one register of one warp. Each
// lane of a line has its own valid and dirty bit.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "models/core/probe.h"
#include "models/ports/register_access.h"
#include "models/stages/storage_points.h"
#include "models/stages/storage_slots.h"

namespace heddle {

struct CacheLine {
  bool used = false;
  WarpId warp{};
  RegId reg{};
  LaneMask valid = 0;
  LaneMask dirty = 0;
  LaneMask pending = 0;  ///< lanes that an outstanding read from the stage below will fill
  std::uint32_t generation = 0;
  /// for replacement: time of the allocation (fifo) or of the last use (lru)
  std::uint64_t order = 0;
  Cycle ready = 0;
  LaneMask live = kAllLanes;
  LaneVec values;
};

class CacheStore {
 public:
  struct Shape {
    /// number of lines of one warp; with `shared`: number of lines that all warps of one cache structure
    /// share
    int entries = 6;
    int ways = 0;  ///< lines per set; 0: fully associative
    bool shared = false;
    bool lru = false;
    int structures = 1;
    int warps = 48;
    int partitions = 1;
  };

  /// Throws Error if the number of lines is not a multiple of the ways.
  explicit CacheStore(const Shape& shape);

  CacheLine* find(WarpId warp, RegId reg) {
    const std::uint32_t at = where_[key(warp, reg)];
    CacheLine* const line = at ? &lines_[at - 1] : nullptr;
    return watched_.empty() ? line : seen_find(warp, reg, line);
  }
  /// Chooses a line for a register that is not in the cache: an unused line of the register's set, otherwise
  /// the line to replace.
  CacheLine& place_for(WarpId warp, RegId reg);
  void take(CacheLine& line, WarpId warp, RegId reg);
  void give_up(CacheLine& line);
  void touch(CacheLine& line) {
    if (shape_.lru) line.order = ++clock_;
    if (!watched_.empty()) report(line, CacheSetPoint::View::touches);
  }
  /// Marks lanes of the line as valid and dirty. `dead`: the compiler has marked the values dead, so that the
  /// lanes need no write-back and are not dirty.
  void write(CacheLine& line, LaneMask lanes, bool dead) {
    line.valid |= lanes;
    line.dirty = dead ? line.dirty & ~lanes : line.dirty | lanes;
    if (!watched_.empty()) report(line, CacheSetPoint::View::writes, lanes, dead);
  }
  void fill(CacheLine& line, LaneMask lanes) {
    line.valid |= lanes;
    if (!watched_.empty()) report(line, CacheSetPoint::View::fills, lanes);
  }
  /// Cancels an outstanding read that would fill these lanes, because a write has replaced the value.
  void cancel_fills(CacheLine& line, LaneMask lanes) {
    if (!(line.pending & lanes)) return;
    line.pending = 0;
    ++line.generation;
  }
  /// Invalidates these lanes. Then frees the line if none of its lanes is valid or waits for a fill.
  void drop(CacheLine& line, LaneMask lanes) {
    cancel_fills(line, lanes);
    line.valid &= ~lanes;
    line.dirty &= ~lanes;
    if (!watched_.empty()) report(line, CacheSetPoint::View::drops, lanes);
    if (!line.valid && !line.pending) give_up(line);
  }
  bool flip_bit(WarpId warp, RegId reg, int lane, int bit) {
    CacheLine* line = find(warp, reg);
    if (!line || !(line->valid >> lane & 1)) return false;
    line->values[lane] ^= std::uint32_t{1} << bit;
    return true;
  }
  /// Frees all lines of the warp, so that another warp can use them.
  void leave(WarpId warp);

  std::size_t index_of(const CacheLine& line) const {
    return static_cast<std::size_t>(&line - lines_.data());
  }
  CacheLine& line(std::size_t index) { return lines_[index]; }
  /// Returns the index range (first, end) that contains all lines of the warp. The range may also contain
  /// lines of other warps.
  std::pair<std::size_t, std::size_t> range_of(WarpId warp) const;

  void probes(const ProbeScope& scope);

 private:
  static constexpr std::size_t kWatchedSets = 4;
  static constexpr std::size_t kNoSet = ~std::size_t{0};
  using SetProbe = Probe<CacheSetPoint>;

  static std::size_t key(WarpId warp, RegId reg) { return std::size_t{warp.value} * 256 + reg.value; }
  std::size_t structure_of(WarpId warp) const {
    return warp.value / static_cast<std::uint32_t>(shape_.partitions) %
           static_cast<std::uint32_t>(shape_.structures);
  }
  std::size_t set_of(std::size_t part, WarpId warp, RegId reg) const;
  const SetProbe* watched(std::size_t set) const {
    return set < watched_.size() ? watched_[set].get() : nullptr;
  }
  CacheLine* seen_find(WarpId warp, RegId reg, CacheLine* line);
  CacheLine* seen_choice(std::size_t set, CacheLine* line);
  void report(const CacheLine& line, CacheSetPoint::View::What what, LaneMask lanes = 0,
              bool dead = false) const;

  Shape shape_;
  std::size_t ways_, sets_;
  CacheSetPoint::Owner set_shape_;
  std::vector<CacheLine> lines_;
  /// line number + 1 for each warp and register; 0: the register has no line
  std::vector<std::uint32_t> where_;
  StorageSlots slots_;
  std::uint64_t clock_ = 0;
  std::vector<std::unique_ptr<SetProbe>> watched_;
};

}  // namespace heddle
