// Two-level scheduling (000, section 3; 003, 2.1): a few active warps issue, the others are pending. An
// active warp whose next instruction waits for a long-latency result, or that waits at a barrier or fence,
// gives up its slot as soon as nothing of it is in flight above the register file; the slot goes round-robin
// to the next pending warp that has no such wait.

#include "models/core/registry.h"
#include "models/scheduler/warp_order.h"

namespace heddle {
namespace {

struct TwoLevelParameters {
  int active_warps = 8;
  std::string inner = "round-robin";
  void fields(FieldVisitor& v) {
    v.field("active_warps", active_warps, {1, 64}, "active slots of one scheduler");
    v.field("inner", inner, {"round-robin", "greedy", "greedy-oldest"},
            "order among the active warps: a greedy one stays with a warp while it is ready, then goes on "
            "round-robin, or "
            "to the oldest");
  }
};

class TwoLevel : public SchedulerPolicy {
 public:
  TwoLevel(const TwoLevelParameters& p, SchedulerContext& context)
      : width_(context.issue_width),
        slots_(p.active_warps),
        greedy_(p.inner != "round-robin"),
        oldest_(p.inner == "greedy-oldest") {}

  bool choose(const SchedulerView& view, PickList& picks) override {
    const WarpSet before = active_, leaving_before = leaving_;
    replace(view);
    WarpSet first = 0;
    for (WarpSet ready = view.ready & active_ & ~leaving_; ready && picks.size() < width_;) {
      if (!first && (ready & stay_))
        last_ = WarpId(static_cast<std::uint32_t>(std::countr_zero(stay_)));
      else
        last_ = oldest_ ? oldest_of(ready, view.warps) : next_after(ready, last_);
      if (!first) first = bit_of(last_);
      pick_warp(view, last_, width_, picks);
      ready &= ~bit_of(last_);
    }
    if (greedy_ && first) stay_ = first;
    return active_ != before || leaving_ != leaving_before;
  }

  WarpSet active() const override { return active_; }

  void on_warp_end(WarpId warp) override {
    active_ &= ~bit_of(warp);
    leaving_ &= ~bit_of(warp);
    stay_ &= ~bit_of(warp);
  }

 private:
  void replace(const SchedulerView& view) {
    active_ &= view.resident;
    const WarpSet waiting = view.long_wait | view.lasting_wait;
    leaving_ = (leaving_ | waiting) & active_;
    const WarpSet gone = leaving_ & view.drained;
    active_ &= ~gone;
    leaving_ &= ~gone;
    for (WarpSet free = view.resident & ~active_ & ~waiting; free && std::popcount(active_) < slots_;) {
      outer_ = next_after(free, outer_);
      active_ |= bit_of(outer_);
      free &= ~bit_of(outer_);
    }
  }

  int width_;
  int slots_;
  bool greedy_, oldest_;
  WarpSet stay_ = 0;  ///< greedy orders: the warp that had the first pick of the last cycle with one
  WarpSet active_ = 0;
  WarpSet leaving_ = 0;  ///< active warps that wait for something lasting and drain
  WarpId last_{63}, outer_{63};
};

const Registration<SchedulerPolicy, TwoLevel, TwoLevelParameters> registered{
    "two-level", "a few active warps; long waits give up the slot"};

}  // namespace
}  // namespace heddle
