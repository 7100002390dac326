#pragma once

// Shared by two-level policies (Gebhart 2012, section 3; Abdel-Majeed 2016, 2.1): the active set, and the
// order of its warps.

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
            "order among the active warps: a greedy one stays with a warp while it is ready, then goes on "
            "round-robin, or to the oldest");
    v.field("pair_issue", pair_issue,
            "with an issue width of 2, a warp may issue its next two instructions in one cycle");
  }
};

/// A few active warps issue, the others are pending. An active warp whose next instruction waits for a
/// long-latency result, or that waits at a barrier or fence, gives up its slot as soon as nothing of it is in
/// flight above the register file; the slot goes round-robin to the next pending warp that has no such wait.
class ActiveSet {
 public:
  explicit ActiveSet(int slots) : slots_(slots) {}

  /// Replaces the warps that may leave; true if anything changed.
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
  /// Active warps that wait for something lasting and drain.
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
  WarpSet full_ = WarpSet::all();  ///< an active set without a free slot, the last one seen
  WarpId outer_{63};
};

/// Order of issue among the active warps.
class InnerOrder {
 public:
  explicit InnerOrder(const std::string& name)
      : greedy_(name != "round-robin"), oldest_(name == "greedy-oldest") {}

  /// The warp of `ready` (not empty) that goes next; `first` of this cycle?
  WarpId next(WarpSet ready, bool first, const SchedulerView& view) {
    const bool stays = first && (ready & stay_);
    if (stays)
      last_ = stay_.first();
    else if (!oldest_)
      last_ = next_after(ready, last_);
    else
      last_ = oldest_of(ready, view.warps);
    if (greedy_ && first) stay_ = bit_of(last_);
    return last_;
  }
  void remove(WarpId warp) { stay_ &= ~bit_of(warp); }

 private:
  bool greedy_, oldest_;
  WarpSet stay_ = 0;  ///< greedy orders: the warp that had the first pick of the last cycle with one
  WarpId last_{63};
};

}  // namespace heddle
