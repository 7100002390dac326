// Models the compiler-guided greedy-then-youngest scheduler (Huerta 2025, 5.1.2). The warp that issued last
// issues again while it is ready. Otherwise the youngest ready warp issues. The compiler guides the scheduler
// by stall counts and yield bits, which decide whether a warp is ready (constraint stall-count).

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/scheduler/warp_order.h"

namespace heddle {
namespace {

class Cggty : public SchedulerPolicy {
 public:
  Cggty(const NoParameters&, SchedulerContext& context) : width_(context.issue_width) {}

  bool choose(const SchedulerView& view, PickList& picks) override {
    wanting_ =
        view.unit_unavailable ? would_pick(*this, greedy_, view.ready | view.unit_unavailable, view) : 0;
    pick(greedy_, view.ready, view, picks);
    wanting_ |= warps_of(picks);
    return false;
  }
  WarpSet wanting(const SchedulerView&) const override { return wanting_; }

  void pick(WarpSet& greedy, WarpSet ready, const SchedulerView& view, PickList& picks) const {
    if (!(ready & greedy) && ready) greedy = bit_of(youngest_of(ready, view.warps));
    for (WarpSet next = ready & greedy; next && picks.size() < width_;) {
      pick_warp(view, next.first(), width_, picks);
      ready &= ~next;
      next = ready ? bit_of(youngest_of(ready, view.warps)) : 0;
    }
  }

  void on_warp_end(WarpId warp) override { greedy_ &= ~bit_of(warp); }

 private:
  static WarpId youngest_of(WarpSet set, std::span<const WarpView> warps) {
    WarpId best = set.first();
    for (const WarpId warp : set.without_first())
      if (warps[warp.value].age > warps[best.value].age) best = warp;
    return best;
  }

  int width_;
  WarpSet greedy_ = 0;
  WarpSet wanting_ = 0;
};

const Registration<SchedulerPolicy, Cggty> cggty_entry{"cggty", "compiler-guided greedy, then youngest"};

const Arrays<SchedulerPolicy> cggty_arrays{"cggty", {{"order of warps", "warps", "6", "1R1W", {}}}};

}  // namespace
}  // namespace heddle
