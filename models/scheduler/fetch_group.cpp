// Models a scheduler with fetch groups (Abdel-Majeed 2016, 2.1). Warps belong to fixed groups. One group
// issues round-robin until none of its warps is ready. Then the next group issues. The groups therefore reach
// their long-latency operations at different times.

#include "models/core/part_arrays.h"
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

  struct Turn {
    std::size_t group = 0;
    WarpId last{63};
  };

  bool choose(const SchedulerView& view, PickList& picks) override {
    wanting_ = view.unit_unavailable ? would_pick(*this, turn_, view.ready | view.unit_unavailable, view) : 0;
    pick(turn_, view.ready, view, picks);
    wanting_ |= warps_of(picks);
    return false;
  }
  WarpSet wanting(const SchedulerView&) const override { return wanting_; }

  void pick(Turn& turn, WarpSet all, const SchedulerView& view, PickList& picks) const {
    if (!(all & groups_[turn.group]))
      for (std::size_t step = 1; step < groups_.size(); ++step) {
        const std::size_t next = (turn.group + step) % groups_.size();
        if (!(all & groups_[next])) continue;
        turn.group = next;
        break;
      }
    for (WarpSet ready = all & groups_[turn.group]; ready && picks.size() < width_;) {
      turn.last = next_after(ready, turn.last);
      pick_warp(view, turn.last, width_, picks);
      ready &= ~bit_of(turn.last);
    }
  }

 private:
  int width_;
  std::vector<WarpSet> groups_;
  Turn turn_;
  WarpSet wanting_ = 0;
};

const Registration<SchedulerPolicy, FetchGroup, FetchGroupParameters> fetch_group_entry{
    "fetch-group", "one group of warps at a time, round-robin within the group"};

const Arrays<SchedulerPolicy> fetch_group_arrays{"fetch-group",
                                                 {{"order of warps", "warps", "6", "1R1W", {}}}};

}  // namespace
}  // namespace heddle
