// Models the two-level warp scheduler (Gebhart 2012, section 3; Abdel-Majeed 2016, 2.1). A few active warps
// issue, round-robin or greedily. An active warp that waits for a long-latency result, a barrier or a fence
// gives up its slot to a pending warp.

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/scheduler/active_set.h"

namespace heddle {
namespace {

class TwoLevel : public SchedulerPolicy {
 public:
  TwoLevel(const ActiveSetParameters& p, SchedulerContext& context)
      : width_(context.issue_width),
        pairs_(p.pair_issue && width_ > 1),
        set_(p.active_warps),
        order_(p.inner) {}

  bool choose(const SchedulerView& view, PickList& picks) override {
    const bool changed = set_.update(view);
    before_ = order_;
    pick(order_, view.ready & set_.issuing(), view, picks);
    return changed;
  }
  WarpSet wanting(const SchedulerView& view) const override {
    const WarpSet ready = view.ready & set_.issuing(), blocked = view.unit_unavailable & set_.issuing();
    const WarpSet picked = would_pick(*this, before_, ready, view);
    return blocked ? picked | would_pick(*this, before_, ready | blocked, view) : picked;
  }

  void pick(InnerOrder& order, WarpSet ready, const SchedulerView& view, PickList& picks) const {
    while (ready && picks.size() < width_) {
      const WarpId warp = order.next(ready, picks.size() == 0, view);
      if (pairs_)
        pick_warp(view, warp, width_, picks);
      else
        picks.add(warp);
      ready &= ~bit_of(warp);
    }
  }

  bool issues_pairs() const override { return pairs_; }
  WarpSet active() const override { return set_.active(); }
  WarpSet leaving() const override { return set_.leaving(); }

  void on_warp_end(WarpId warp) override {
    set_.remove(warp);
    order_.remove(warp);
  }

 private:
  int width_;
  bool pairs_;
  ActiveSet set_;
  InnerOrder order_;
  InnerOrder before_{order_};
};

const Registration<SchedulerPolicy, TwoLevel, ActiveSetParameters> two_level_entry{
    "two-level",
    "a few active warps; a warp with a long wait gives up its slot",
    {.properties = {"announces-descheduling"}}};

const Arrays<SchedulerPolicy> two_level_arrays{"two-level",
                                               {{"active and pending warps", "warps", "2", "1R1W", {}}}};

}  // namespace
}  // namespace heddle
