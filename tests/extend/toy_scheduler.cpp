// A plug-in scheduling policy: it picks the ready warp that was placed last.

#include "models/core/registry.h"
#include "models/scheduler/warp_order.h"

namespace heddle {
namespace {

class ToyYoungest : public SchedulerPolicy {
 public:
  ToyYoungest(const NoParameters&, SchedulerContext& context) : width_(context.issue_width) {}

  bool choose(const SchedulerView& view, PickList& picks) override {
    for (WarpSet ready = view.ready; ready && picks.size() < width_;) {
      const WarpId warp = youngest_of(ready, view.warps);
      pick_warp(view, warp, width_, picks);
      ready &= ~bit_of(warp);
    }
    return false;
  }

 private:
  static WarpId youngest_of(WarpSet set, std::span<const WarpView> warps) {
    WarpId best = set.first();
    for (const WarpId warp : set.without_first())
      if (warps[warp.value].age > warps[best.value].age) best = warp;
    return best;
  }
  int width_;
};

const Registration<SchedulerPolicy, ToyYoungest> toy_scheduler_entry{"toy-youngest",
                                                                     "the ready warp that was placed last"};

}  // namespace
}  // namespace heddle
