// Loose round-robin: the next ready warp after the one that issued last.

#include "models/core/registry.h"
#include "models/scheduler/warp_order.h"

namespace heddle {
namespace {

class Lrr : public SchedulerPolicy {
 public:
  Lrr(const NoParameters&, SchedulerContext& context) : width_(context.issue_width) {}

  bool choose(const SchedulerView& view, PickList& picks) override {
    for (WarpSet ready = view.ready; ready && picks.size() < width_;) {
      last_ = next_after(ready, last_);
      pick_warp(view, last_, width_, picks);
      ready &= ~bit_of(last_);
    }
    return false;
  }

 private:
  int width_;
  WarpId last_{63};
};

const Registration<SchedulerPolicy, Lrr> registered{"lrr", "loose round-robin over all ready warps"};

}  // namespace
}  // namespace heddle
