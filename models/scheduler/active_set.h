#pragma once

// Models the active set of a two-level warp scheduler (Gebhart 2012, section 3; Abdel-Majeed 2016, 2.1). Only
// the few warps of the active set may issue. All other warps of the scheduler are pending. InnerOrder chooses
// the active warp that issues next.

#include <bit>
#include <string>

#include "models/core/fields.h"
#include "models/scheduler/warp_order.h"

namespace heddle {

struct ActiveSetParameters {
  int active_warps = 8;
  std::string inner = "round-robin";
  bool pair_issue = true;
  void fields(FieldVisitor& v) {
    v.field("active_warps", active_warps, {1, 64}, "active slots of one scheduler");
    v.field("inner", inner, {"round-robin", "greedy", "greedy-oldest"},
            "order among the active warps: a greedy order picks the same warp while it is ready, then the "
            "next warp round-robin, or the oldest");
    v.field("pair_issue", pair_issue,
            "with an issue width of 2, a warp may issue its next two instructions in one cycle");
  }
};

/// Holds the active warps of one scheduler. An active warp begins to leave when it waits at a barrier or fence,
/// or when its next instruction waits for a long-latency result. This warp keeps its slot until it is drained,
/// but does not issue. Drained means: none of its instructions is in a collector, or in flight with short
/// latency. Then its slot goes to the next pending warp, in round-robin order, that does not wait.
class ActiveSet {
 public:
  explicit ActiveSet(int slots) : slots_(slots) {}

  bool update(const SchedulerView& view) {
    const WarpSet active_before = active_, leaving_before = leaving_;
    active_ &= view.resident;
    const WarpSet waiting = view.long_wait | view.lasting_wait;
    leaving_ = (leaving_ | waiting) & active_;
    const WarpSet gone = leaving_ & view.drained;
    active_ &= ~gone;
    leaving_ &= ~gone;
    const WarpSet free = view.resident & ~active_ & ~waiting;
    if (free && active_ != full_) fill(free);
    return active_ != active_before || leaving_ != leaving_before;
  }
  void remove(WarpId warp) {
    active_ &= ~bit_of(warp);
    leaving_ &= ~bit_of(warp);
  }

  WarpSet active() const { return active_; }
  WarpSet leaving() const { return leaving_; }
  WarpSet issuing() const { return active_ & ~leaving_; }

 private:
  void fill(WarpSet free) {
    while (free && active_.count() < slots_) {
      outer_ = next_after(free, outer_);
      active_ |= bit_of(outer_);
      free &= ~bit_of(outer_);
    }
    if (active_.count() >= slots_) full_ = active_;
  }

  int slots_;
  WarpSet active_ = 0, leaving_ = 0;
  WarpSet full_ = WarpSet::all();
  WarpId outer_{63};
};

/// Order in which the active warps of a scheduler issue. "round-robin" takes the next ready warp in slot
/// order. The greedy orders first take the warp that issued first in the last cycle with an issue. If this
/// warp is not ready, "greedy" takes the next warp in round-robin order, and "greedy-oldest" the oldest ready
/// warp.
class InnerOrder {
 public:
  explicit InnerOrder(const std::string& name)
      : greedy_(name != "round-robin"), oldest_(name == "greedy-oldest") {}

  /// Returns the warp of `ready` that issues next. `ready` must not be empty. `first`: true if no instruction
  /// has been picked in this cycle.
  WarpId next(WarpSet ready, bool first, const SchedulerView& view) {
    const bool stays = first && (ready & greedy_warp_);
    if (stays)
      last_ = greedy_warp_.first();
    else if (!oldest_)
      last_ = next_after(ready, last_);
    else
      last_ = oldest_of(ready, view.warps);
    if (greedy_ && first) greedy_warp_ = bit_of(last_);
    return last_;
  }
  void remove(WarpId warp) { greedy_warp_ &= ~bit_of(warp); }

 private:
  bool greedy_, oldest_;
  WarpSet greedy_warp_ = 0;
  WarpId last_{63};
};

}  // namespace heddle
