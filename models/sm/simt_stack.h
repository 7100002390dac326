#pragma once

// Models the SIMT stack of a warp with reconvergence at immediate post-dominators. After a divergent branch,
// the fall-through path runs first, then the taken path. Both paths wait at the reconvergence point. With
// thread progress (models/isa/thread_progress.h), a running path can let another path run. Lanes that wait at
// a reconvergence point may then continue without the lanes that have not arrived. In this case, both paths
// are called "apart".

#include <cstdint>
#include <vector>

#include "models/core/lanes.h"

namespace heddle {

class SimtStack {
 public:
  /// Reconvergence point of a path that never reconverges.
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};

  /// Position of a path. `pc`: the next instruction that executes. `fetch`: address at which fetch starts,
  /// which is lower than `pc` if metadata precedes the instruction.
  struct Place {
    std::uint32_t pc, fetch;
    Place(std::uint32_t at) : pc(at), fetch(at) {}  // NOLINT(google-explicit-constructor)
    Place(std::uint32_t executes, std::uint32_t fetch_from) : pc(executes), fetch(fetch_from) {}
  };

  void start(LaneMask lanes, Place first = 0) {
    below_.clear();
    top_ = {first, kNever, lanes};
    live_ = lanes;
  }
  LaneMask live() const { return live_; }
  bool finished() const { return live_ == 0; }
  std::uint32_t pc() const { return top_.at.pc; }
  std::uint32_t fetch_from() const { return top_.at.fetch; }
  std::uint32_t reconvergence() const { return top_.reconvergence; }
  LaneMask active() const { return top_.lanes; }
  std::size_t depth() const { return below_.size() + (finished() ? 0 : 1); }
  /// True if the running path has passed a reconvergence point without all its lanes. Also true if other
  /// lanes have passed the reconvergence point of the running path.
  bool apart() const { return top_.apart; }
  bool has_other_lanes() const { return top_.lanes != live_; }

  void advance_to(Place place) {
    top_.at = place;
    if (place.pc == top_.reconvergence) unwind();
  }
  /// Executes a divergent branch. The active lanes in `taken` continue at `target`, the other active lanes at
  /// `fall_through`. Either group may be empty.
  void branch(LaneMask taken, Place target, Place fall_through, Place reconvergence);
  void exit_lanes(LaneMask lanes, Place place);
  /// Switches to the path that has waited longest. `meets`: for each pc, true if divergent paths wait for
  /// each other at this instruction. Paths for which apart() is true do not run while they are at such an
  /// instruction. Returns false if no other path can run.
  bool give_way(const std::vector<bool>& meets);
  /// Must be called while apart() is true. If the running path is at an instruction where paths wait for each
  /// other (`meets`), another path runs. If no other path can run, the running path is merged with the paths
  /// that wait at the same instruction and have the same reconvergence point.
  void meet(const std::vector<bool>& meets);

 private:
  struct Path {
    Place at = 0;
    std::uint32_t reconvergence = kNever;
    LaneMask lanes = 0;
    bool apart = false;
    std::uint32_t gave_way = 0;
  };
  void run_last();
  void unwind();
  void raise(std::size_t path, LaneMask own);
  LaneMask lanes_to_meet(std::uint32_t reconvergence, LaneMask some) const;
  /// The running path is not in the vector, so that an instruction reads no other cache line of the host.
  Path top_;
  std::vector<Path> below_;
  LaneMask live_ = 0;
  std::uint32_t times_ = 0;
};

}  // namespace heddle
