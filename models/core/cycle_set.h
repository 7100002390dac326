#pragma once

// Sets and marks on a clocked boundary.

#include "models/core/ids.h"
#include "models/core/warp_set.h"

namespace heddle {

/// A set of warps: an added warp is a member from the next cycle on, a removed one leaves at once.
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
  /// A member at once.
  void put(WarpId warp) { members_.add(warp); }
  void remove(WarpId warp) {
    members_.remove(warp);
    added_.remove(warp);
  }

 private:
  WarpSet members_;
  WarpSet added_;  ///< in newest_
  Cycle newest_ = 0;
};

/// Something has come that is to be done in a later cycle, before anything else.
class CycleFlag {
 public:
  void raise(Cycle now) {
    if (now < since_) since_ = now;
  }
  void lower() { since_ = kNever; }
  bool raised() const { return since_ != kNever; }
  /// It was raised in an earlier cycle than `now`.
  bool seen(Cycle now) const { return since_ < now; }

 private:
  Cycle since_ = kNever;
};

/// Something happens now and then: whether it did lately.
class CycleSignal {
 public:
  void give(Cycle now) { last_ = now; }
  bool in(Cycle cycle) const { return last_ == cycle; }
  /// In `now`, or in the cycle before it.
  bool lately(Cycle now) const { return last_ + 1 >= now; }

 private:
  Cycle last_ = kNever;  ///< one more is 0: no cycle of a run comes as early
};

/// What is noted within one cycle: nothing, T{}, again in the next.
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
