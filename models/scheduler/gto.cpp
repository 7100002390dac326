// Greedy, then oldest: stay with the last warp while it is ready, else take the oldest ready one (003, 2.1).

#include "models/core/registry.h"
#include "models/scheduler/warp_order.h"

namespace heddle {
namespace {

class Gto : public SchedulerPolicy {
 public:
  Gto(const NoParameters&, SchedulerContext& context) : width_(context.issue_width) {}

  bool choose(const SchedulerView& view, PickList& picks) override {
    WarpSet ready = view.ready;
    if (!(ready & greedy_) && ready) greedy_ = bit_of(oldest_of(ready, view.warps));
    for (WarpSet next = ready & greedy_; next && picks.size() < width_;) {
      pick_warp(view, next.first(), width_, picks);
      ready &= ~next;
      next = ready ? bit_of(oldest_of(ready, view.warps)) : 0;
    }
    return false;
  }

  void on_warp_end(WarpId warp) override { greedy_ &= ~bit_of(warp); }

 private:
  int width_;
  WarpSet greedy_ = 0;  ///< the warp that had the first pick of the last cycle with one
};

const Registration<SchedulerPolicy, Gto> registered{"gto", "greedy, then oldest"};

}  // namespace
}  // namespace heddle
