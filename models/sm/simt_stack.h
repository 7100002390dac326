#pragma once

// SIMT stack of a warp: which lanes run where, with reconvergence at immediate post-dominators. On a
// divergent branch the fall-through side runs first, then the taken side; both wait at the reconvergence
// point.

#include <cstdint>
#include <vector>

#include "models/core/lanes.h"

namespace heddle {

class SimtStack {
 public:
  static constexpr std::uint32_t kNever =
      ~std::uint32_t{0};  ///< reconvergence at the end of the threads only

  void start(LaneMask lanes) { entries_.assign(1, {0, kNever, lanes}); }
  bool finished() const { return entries_.empty(); }
  std::uint32_t pc() const { return entries_.back().pc; }
  std::uint32_t reconvergence() const { return entries_.back().reconvergence; }
  LaneMask active() const { return entries_.back().lanes; }
  std::size_t depth() const { return entries_.size(); }

  void advance_to(std::uint32_t pc) {
    entries_.back().pc = pc;
    unwind();
  }
  /// `taken` of the active lanes go to `target`, the rest to `fall_through`; either part may be empty.
  void branch(LaneMask taken, std::uint32_t target, std::uint32_t fall_through, std::uint32_t reconvergence);
  /// These lanes have exited; the others of the path go on at `pc`.
  void exit_lanes(LaneMask lanes, std::uint32_t pc);

 private:
  struct Path {
    std::uint32_t pc, reconvergence;
    LaneMask lanes;
  };
  void unwind();
  std::vector<Path> entries_;
};

}  // namespace heddle
