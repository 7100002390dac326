#pragma once

// Sets and flags on a clocked boundary.

#include "models/core/ids.h"
#include "models/core/warp_set.h"

namespace heddle {

/// Set of warps. An added warp is a member from the next cycle on; a removed warp leaves at once.
class CycleSet {
 public:
  explicit CycleSet(WarpSet members = {}) : members_(members) {}

  bool contains(Cycle now, WarpId warp) const {
    return (newest_ < now ? members_ | added_ : members_).contains(warp);
  }
  void add(Cycle now, WarpId warp) {
    if (newest_ != now) {
      members_ |= added_;
      added_ = {};
      newest_ = now;
    }
    added_.add(warp);
  }
  /// Adds a member that is visible at once.
  void put(WarpId warp) { members_.add(warp); }
  void remove(WarpId warp) {
    members_.remove(warp);
    added_.remove(warp);
  }

 private:
  WarpSet members_;
  WarpSet added_;  ///< added in cycle newest_
  Cycle newest_ = 0;
};

/// A flag that is visible from the cycle after it was raised, until it is lowered.
class CycleFlag {
 public:
  void raise(Cycle now) {
    if (now < since_) since_ = now;
  }
  void lower() { since_ = kNever; }
  bool raised() const { return since_ != kNever; }
  /// True if the flag was raised in an earlier cycle.
  bool seen(Cycle now) const { return since_ < now; }

 private:
  Cycle since_ = kNever;
};

/// An event that can be observed in its own cycle and the next.
class CycleSignal {
 public:
  void give(Cycle now) { last_ = now; }
  bool in(Cycle cycle) const { return last_ == cycle; }
  /// True if the event occurred in cycle `now` or the cycle before.
  bool lately(Cycle now) const { return last_ + 1 >= now; }

 private:
  Cycle last_ = kNever;  ///< kNever + 1 is 0, which is before every cycle of a run
};

/// A value that is valid within one cycle and reset to T{} in the next.
template <class T>
class InCycle {
 public:
  T& in(Cycle now) {
    if (cycle_ != now) {
      value_ = T{};
      cycle_ = now;
    }
    return value_;
  }
  T get(Cycle now) const { return cycle_ == now ? value_ : T{}; }

 private:
  T value_{};
  Cycle cycle_ = kNever;
};

}  // namespace heddle
