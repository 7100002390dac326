#pragma once

// Models the SIMT stack of a warp with reconvergence at immediate post-dominators: the lanes of each path and
// the path's position. After a divergent branch the fall-through path runs first, then the taken path. Both
// wait at the reconvergence point. With thread progress (models/isa/thread_progress.h) a path gives way to
// another path. Lanes that wait at a reconvergence point then continue without the lanes still to come: both
// are apart.

#include <cstdint>
#include <vector>

#include "models/core/lanes.h"

namespace heddle {

class SimtStack {
 public:
  /// The paths reconverge only when their threads end.
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};

  /// Position of a path: `pc` is the next instruction that executes, `fetch` the start of fetch. `fetch` lies
  /// at the metadata in front of the instruction, if there is some.
  struct Place {
    std::uint32_t pc, fetch;
    Place(std::uint32_t at) : pc(at), fetch(at) {}  // NOLINT(google-explicit-constructor)
    Place(std::uint32_t executes, std::uint32_t fetch_from) : pc(executes), fetch(fetch_from) {}
  };

  void start(LaneMask lanes, Place first = 0) {
    entries_.assign(1, {first, kNever, lanes});
    live_ = lanes;
  }
  /// Lanes whose threads have not exited.
  LaneMask live() const { return live_; }
  bool finished() const { return entries_.empty(); }
  std::uint32_t pc() const { return entries_.back().at.pc; }
  std::uint32_t fetch_from() const { return entries_.back().at.fetch; }
  std::uint32_t reconvergence() const { return entries_.back().reconvergence; }
  LaneMask active() const { return entries_.back().lanes; }
  std::size_t depth() const { return entries_.size(); }
  /// The running path has gone past a reconvergence point, or others have gone past its own.
  bool apart() const { return entries_.back().apart; }
  bool has_other_lanes() const { return entries_.back().lanes != live_; }

  void advance_to(Place place) {
    entries_.back().at = place;
    if (place.pc == entries_.back().reconvergence) unwind();
  }
  /// The lanes `taken` of the active lanes go to `target`, the other active lanes to `fall_through`. Either
  /// part may be empty.
  void branch(LaneMask taken, Place target, Place fall_through, Place reconvergence);
  /// These lanes have exited. The other lanes of the path continue at `place`.
  void exit_lanes(LaneMask lanes, Place place);
  /// Runs the path that has waited longest. Paths that are apart wait at instructions in `meets` (by pc).
  /// Returns false if no other path can run.
  bool give_way(const std::vector<bool>& meets);
  /// The running path is apart and has come to an instruction in `meets`: another path runs. If all paths
  /// wait, those that stand at this instruction go on together.
  void meet(const std::vector<bool>& meets);

 private:
  struct Path {
    Place at;
    std::uint32_t reconvergence;
    LaneMask lanes;
    bool apart = false;
    std::uint32_t gave_way = 0;  ///< number of the last time
  };
  void unwind();
  void raise(std::size_t path, LaneMask own);
  LaneMask lanes_to_meet(std::uint32_t reconvergence, LaneMask some) const;
  std::vector<Path> entries_;
  LaneMask live_ = 0;
  std::uint32_t times_ = 0;  ///< that a path gave way
};

}  // namespace heddle
