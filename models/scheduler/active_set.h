#pragma once

// Models the active set of a two-level scheduler (Gebhart 2012, section 3; Abdel-Majeed 2016, 2.1) and the
// order in which its warps issue. Two-level policies share both classes. The active set is the small group of
// warps that may issue. All other warps of the scheduler are pending.

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

/// Holds the active warps of one scheduler. An active warp starts to leave when its next instruction waits
/// for a long-latency result, or when the warp waits at a barrier or fence. It gives up its slot when none of
/// its instructions is in flight above the register file. The free slot goes round-robin to the next pending
/// warp without such a wait.
class ActiveSet {
 public:
  explicit ActiveSet(int slots) : slots_(slots) {}

  /// Removes drained warps that leave and fills free slots. Returns true if the set of active or leaving
  /// warps changed.
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
  /// Active warps that will give up their slot when they are drained. They do not issue.
  WarpSet leaving() const { return leaving_; }
  /// Active warps that may issue.
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
  WarpSet full_ = WarpSet::all();  ///< last active set without a free slot
  WarpId outer_{63};
};

/// Order in which the active warps issue: round-robin, or greedy (the warp that had the first pick goes first
/// again).
class InnerOrder {
 public:
  explicit InnerOrder(const std::string& name)
      : greedy_(name != "round-robin"), oldest_(name == "greedy-oldest") {}

  /// Returns the warp of `ready` that issues next. `ready` must not be empty. `first` is true for the first
  /// pick of a cycle. A greedy order prefers the warp of the last first pick, but only for a first pick.
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
  WarpSet greedy_warp_ = 0;  ///< greedy orders: the warp that had the last first pick of a cycle
  WarpId last_{63};
};

}  // namespace heddle
