// Greedy, then oldest: stay with the last warp while it is ready, else take the oldest ready one (003, 2.1).

#include "models/core/registry.h"
#include "models/scheduler/warp_order.h"

namespace heddle {
namespace {

class Gto : public SchedulerPolicy {
 public:
  Gto(const NoParameters&, SchedulerContext& context) : width_(context.issue_width) {}

  bool choose(const SchedulerView& view, PickList& picks) override {
    for (WarpSet ready = view.ready; ready && picks.size() < width_;) {
      greedy_ = (ready & bit_of(greedy_)) ? greedy_ : oldest_of(ready, view.warps);
      pick_warp(view, greedy_, width_, picks);
      ready &= ~bit_of(greedy_);
    }
    return false;
  }

 private:
  int width_;
  WarpId greedy_{};
};

const Registration<SchedulerPolicy, Gto> registered{"gto", "greedy, then oldest"};

}  // namespace
}  // namespace heddle
