// Models the greedy-then-oldest scheduler (Abdel-Majeed 2016, 2.1). The warp that issued last issues again
// while it is ready. If this warp is not ready, the oldest ready warp issues.

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/scheduler/warp_order.h"

namespace heddle {
namespace {

class Gto : public SchedulerPolicy {
 public:
  Gto(const NoParameters&, SchedulerContext& context) : width_(context.issue_width) {}

  bool choose(const SchedulerView& view, PickList& picks) override {
    wanting_ =
        view.unit_unavailable ? would_pick(*this, greedy_, view.ready | view.unit_unavailable, view) : 0;
    pick(greedy_, view.ready, view, picks);
    wanting_ |= warps_of(picks);
    return false;
  }
  WarpSet wanting(const SchedulerView&) const override { return wanting_; }

  void pick(WarpSet& greedy, WarpSet ready, const SchedulerView& view, PickList& picks) const {
    if (!(ready & greedy) && ready) greedy = bit_of(oldest_of(ready, view.warps));
    for (WarpSet next = ready & greedy; next && picks.size() < width_;) {
      pick_warp(view, next.first(), width_, picks);
      ready &= ~next;
      next = ready ? bit_of(oldest_of(ready, view.warps)) : 0;
    }
  }

  void on_warp_end(WarpId warp) override { greedy_ &= ~bit_of(warp); }

 private:
  int width_;
  WarpSet greedy_ = 0;
  WarpSet wanting_ = 0;
};

const Registration<SchedulerPolicy, Gto> gto_entry{"gto", "greedy, then oldest"};

const Arrays<SchedulerPolicy> gto_arrays{"gto", {{"order of warps", "warps", "6", "1R1W", {}}}};

}  // namespace
}  // namespace heddle
