// Fetch groups (003, 2.1): warps in fixed groups; one group is served round-robin until none of its warps is
// ready, then the next group that has a ready warp, so that groups reach their long latencies at different
// times.

#include "models/core/registry.h"
#include "models/scheduler/warp_order.h"

namespace heddle {
namespace {

struct FetchGroupParameters {
  int group_warps = 8;
  void fields(FieldVisitor& v) {
    v.field("group_warps", group_warps, {1, 64}, "warps of this scheduler in a group");
  }
};

class FetchGroup : public SchedulerPolicy {
 public:
  FetchGroup(const FetchGroupParameters& p, SchedulerContext& context) : width_(context.issue_width) {
    int in_group = 0;
    for (const WarpId warp : context.mine) {
      if (in_group == 0) groups_.push_back(0);
      groups_.back().add(warp);
      in_group = (in_group + 1) % p.group_warps;
    }
  }

  bool choose(const SchedulerView& view, PickList& picks) override {
    if (!(view.ready & groups_[current_]))
      for (std::size_t step = 1; step < groups_.size(); ++step) {
        const std::size_t next = (current_ + step) % groups_.size();
        if (!(view.ready & groups_[next])) continue;
        current_ = next;
        break;
      }
    for (WarpSet ready = view.ready & groups_[current_]; ready && picks.size() < width_;) {
      last_ = next_after(ready, last_);
      pick_warp(view, last_, width_, picks);
      ready &= ~bit_of(last_);
    }
    return false;
  }

 private:
  int width_;
  std::vector<WarpSet> groups_;
  std::size_t current_ = 0;
  WarpId last_{63};
};

const Registration<SchedulerPolicy, FetchGroup, FetchGroupParameters> registered{
    "fetch-group", "one group of warps at a time, round-robin within"};

}  // namespace
}  // namespace heddle
