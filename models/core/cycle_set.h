#pragma once

// Sets, flags and events by which modules communicate. Each type states from which cycle on a change is
// visible, so that results are independent of module order.

#include "models/core/ids.h"
#include "models/core/warp_set.h"

namespace heddle {

/// Set of warps. An added warp is a member from the next cycle on. A removed warp stops being a member in the
/// same cycle.
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
  /// Adds a warp that is a member from this cycle on, unlike add(), whose warp is a member from the next
  /// cycle on.
  void put(WarpId warp) { members_.add(warp); }
  void remove(WarpId warp) {
    members_.remove(warp);
    added_.remove(warp);
  }

 private:
  WarpSet members_;
  WarpSet added_;
  Cycle newest_ = 0;
};

/// Flag that becomes visible in the cycle after it is raised, and stays visible until it is lowered.
class CycleFlag {
 public:
  void raise(Cycle now) {
    if (now < since_) since_ = now;
  }
  void lower() { since_ = kNever; }
  bool raised() const { return since_ != kNever; }
  /// Returns true if the flag was raised in an earlier cycle and has not been lowered since.
  bool seen(Cycle now) const { return since_ < now; }

 private:
  Cycle since_ = kNever;
};

/// Event that can be observed in the cycle in which it occurs and in the next cycle.
class CycleSignal {
 public:
  void give(Cycle now) { last_ = now; }
  bool in(Cycle cycle) const { return last_ == cycle; }
  bool lately(Cycle now) const { return last_ + 1 >= now; }

 private:
  /// Cycle of the last event; kNever before the first event. kNever + 1 is 0, so lately() returns true in
  /// cycle 0 even without an event.
  Cycle last_ = kNever;
};

/// Value that is valid for one cycle. In each later cycle, the value is T{} until it is set again.
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
