// Models the loose round-robin scheduler, which issues from the first ready warp, in slot order, after the
// warp that issued last.

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/scheduler/warp_order.h"

namespace heddle {
namespace {

class Lrr : public SchedulerPolicy {
 public:
  Lrr(const NoParameters&, SchedulerContext& context) : width_(context.issue_width) {}

  bool choose(const SchedulerView& view, PickList& picks) override {
    wanting_ = view.unit_unavailable ? would_pick(*this, last_, view.ready | view.unit_unavailable, view) : 0;
    pick(last_, view.ready, view, picks);
    wanting_ |= warps_of(picks);
    return false;
  }
  WarpSet wanting(const SchedulerView&) const override { return wanting_; }

  void pick(WarpId& last, WarpSet ready, const SchedulerView& view, PickList& picks) const {
    while (ready && picks.size() < width_) {
      last = next_after(ready, last);
      pick_warp(view, last, width_, picks);
      ready &= ~bit_of(last);
    }
  }

 private:
  int width_;
  WarpId last_{63};
  WarpSet wanting_ = 0;
};

const Registration<SchedulerPolicy, Lrr> lrr_entry{"lrr", "loose round-robin over all ready warps"};

const Arrays<SchedulerPolicy> lrr_arrays{"lrr", {{"order of warps", "warps", "6", "1R1W", {}}}};

}  // namespace
}  // namespace heddle
