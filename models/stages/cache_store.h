#pragma once

// Lines, tags and replacement of a register cache. A line holds one register of one warp, lane by lane.

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
  LaneMask dirty = 0;    ///< of these, the lanes that the stages below hold an older value of
  LaneMask pending = 0;  ///< lanes that a read from below will fill
  std::uint32_t generation = 0;
  std::uint64_t order = 0;    ///< of its taking (fifo) or its last use (lru)
  Cycle ready = 0;            ///< when its last write has got its port
  LaneMask live = kAllLanes;  ///< threads that had not exited when it was last written
  LaneVec values;
};

class CacheStore {
 public:
  struct Shape {
    int entries = 6;      ///< of a warp; with `shared`, of a structure
    int ways = 0;         ///< lines of a set; 0: all
    bool shared = false;  ///< the warps of a structure share its lines
    bool lru = false;     ///< else fifo
    int structures = 1;
    int warps = 48;  ///< warp slots of the SM
    int partitions = 1;
  };

  /// Throws Error if the ways do not divide the entries.
  explicit CacheStore(const Shape& shape);

  CacheLine* find(WarpId warp, RegId reg) {
    const std::uint32_t at = where_[key(warp, reg)];
    CacheLine* const line = at ? &lines_[at - 1] : nullptr;
    return watched_.empty() ? line : seen_find(warp, reg, line);
  }
  /// The line that a register without one would get: an unused one of its set, or the one to be replaced.
  CacheLine& place_for(WarpId warp, RegId reg);
  /// Gives an unused line to a register.
  void take(CacheLine& line, WarpId warp, RegId reg);
  /// Forgets the line and poisons it.
  void give_up(CacheLine& line);
  void touch(CacheLine& line) {
    if (shape_.lru) line.order = ++clock_;
    if (!watched_.empty()) tell(line, CacheSetPoint::View::touches);
  }
  /// Lanes get new values; `dead` ones need not be written below.
  void write(CacheLine& line, LaneMask lanes, bool dead) {
    line.valid |= lanes;
    line.dirty = dead ? line.dirty & ~lanes : line.dirty | lanes;
    if (!watched_.empty()) tell(line, CacheSetPoint::View::writes, lanes, dead);
  }
  /// Lanes get what the stages below have.
  void fill(CacheLine& line, LaneMask lanes) {
    line.valid |= lanes;
    if (!watched_.empty()) tell(line, CacheSetPoint::View::fills, lanes);
  }
  /// Reads of these lanes that are under way below bring an older value.
  void cancel_fills(CacheLine& line, LaneMask lanes) {
    if (!(line.pending & lanes)) return;
    line.pending = 0;
    ++line.generation;
  }
  /// The line has no values of these lanes any more; one without any is given up.
  void drop(CacheLine& line, LaneMask lanes) {
    cancel_fills(line, lanes);
    line.valid &= ~lanes;
    line.dirty &= ~lanes;
    if (!watched_.empty()) tell(line, CacheSetPoint::View::drops, lanes);
    if (!line.valid && !line.pending) give_up(line);
  }
  bool flip_bit(WarpId warp, RegId reg, int lane, int bit) {
    CacheLine* line = find(warp, reg);
    if (!line || !(line->valid >> lane & 1)) return false;
    line->values[lane] ^= std::uint32_t{1} << bit;
    return true;
  }
  /// The warp's private partition can go to another warp; all its lines are given up.
  void leave(WarpId warp);

  std::size_t index_of(const CacheLine& line) const {
    return static_cast<std::size_t>(&line - lines_.data());
  }
  CacheLine& line(std::size_t index) { return lines_[index]; }
  /// The lines among which those of the warp are.
  std::pair<std::size_t, std::size_t> range_of(WarpId warp) const;

  /// The first sets, and, where lines are private, whose they are.
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
  /// The set in which the register is or would be, by number; kNoSet if its warp has no lines.
  std::size_t set_of(std::size_t part, WarpId warp, RegId reg) const;
  const SetProbe* watched(std::size_t set) const {
    return set < watched_.size() ? watched_[set].get() : nullptr;
  }
  CacheLine* seen_find(WarpId warp, RegId reg, CacheLine* line);
  CacheLine* seen_choice(std::size_t set, CacheLine* line);
  void tell(const CacheLine& line, CacheSetPoint::View::What what, LaneMask lanes = 0,
            bool dead = false) const;

  Shape shape_;
  std::size_t ways_, sets_;
  CacheSetPoint::Owner set_shape_;
  std::vector<CacheLine> lines_;
  std::vector<std::uint32_t> where_;  ///< by warp and register: line + 1
  StorageSlots slots_;                ///< private partitions
  std::uint64_t clock_ = 0;
  std::vector<std::unique_ptr<SetProbe>> watched_;  ///< by set; empty without an observer
};

}  // namespace heddle
