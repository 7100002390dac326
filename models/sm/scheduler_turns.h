#pragma once

// Runs the schedulers of an SM in turn every cycle: constraints say which warps may issue, each policy picks
// among them, and the picks issue. Also provides the scheduler state for waveforms and profiles.

#include <algorithm>
#include <string>
#include <vector>

#include "models/sm/instruction_issue.h"
#include "models/sm/warp_scheduler.h"

namespace heddle {

class SchedulerTurns {
 public:
  explicit SchedulerTurns(IssueState& state);

  /// Called after the SM is built. True if the schedulers' decisions depend on their own view alone.
  bool assembled();
  void begin_kernel(Cycle cycle);
  void warp_starts(WarpId warp) { hooked(warp).on_warp_start(warp); }
  void warp_exits(WarpId warp) { hooked(warp).on_warp_end(warp); }
  /// Other units take instructions.
  void set_units();
  /// No warp is resident.
  void no_warp();
  /// By the active sets and next instructions as of the end of the previous cycle.
  void show_lane_plans();
  /// One cycle of all schedulers. `may_idle`: idle() is used.
  void take(InstructionIssue& issue, bool may_idle);
  /// True if no scheduler picked anything in its last turn.
  bool idle() const { return idle_; }
  /// No scheduler could fill more collectors in a cycle than are free.
  bool collectors_suffice() const {
    return std::all_of(s_.partitions.begin(), s_.partitions.end(),
                       [this](const IssuePartition& p) { return p.free_collectors.fewest() >= width_; });
  }
  /// Accounts slots up to, and not including, `cycle`, idle for the reasons of the last tick.
  void settle_slots(Cycle cycle) {
    s_.accounts.settle(cycle, [this](std::size_t s) { return schedulers_[s].last_reason; });
  }
  /// Warps with an active slot, as of their schedulers' last turn.
  WarpSet active_warps() const { return active_; }

  int count() const { return static_cast<int>(schedulers_.size()); }
  SchedulerPolicy& policy(int scheduler) { return at(scheduler).policy(); }
  WarpSet active_of(int scheduler) const { return at(scheduler).policy().active(); }
  /// Why a scheduler's slots stayed idle in its last tick, as a number of stall_reasons().
  std::size_t stall_of(int scheduler) const { return at(scheduler).last_reason; }
  const std::vector<std::string>& stall_reasons() const { return s_.constraints.reasons(); }
  /// The warp that a scheduler issued from in its last tick, or -1; `issued`: those that issued in it.
  int last_pick(int scheduler, WarpSet issued) const {
    const int pick = at(scheduler).last_pick;
    return pick >= 0 && issued.contains(WarpId(static_cast<std::uint32_t>(pick))) ? pick : -1;
  }

 private:
  WarpScheduler& at(int scheduler) { return schedulers_[static_cast<std::size_t>(scheduler)]; }
  const WarpScheduler& at(int scheduler) const { return schedulers_[static_cast<std::size_t>(scheduler)]; }
  /// The policy of the warp's scheduler, for a hook.
  SchedulerPolicy& hooked(WarpId warp) {
    WarpScheduler& scheduler = schedulers_[s_.warps.progress(warp).scheduler.value];
    scheduler.hooked = true;
    return scheduler.policy();
  }
  inline void schedule(WarpScheduler& scheduler, InstructionIssue& issue);
  inline int issue_picks(WarpScheduler& scheduler, InstructionIssue& issue);
  int issue_others(WarpScheduler& scheduler, InstructionIssue& issue);
  void pass_on_active_set(const WarpScheduler& scheduler);
  /// True for a scheduler whose own view is unchanged, so that its decision depends only on the others.
  inline bool undisturbed(WarpScheduler& scheduler) const;
  const ResourceView* resources();

  IssueState& s_;
  int width_;  ///< instructions that a scheduler issues in a cycle
  std::vector<WarpScheduler> schedulers_;
  ResourceView resources_;
  PickList picks_;              ///< of the scheduler whose turn it is
  int first_ = 0;               ///< takes the first turn in the next tick
  WarpSet active_;              ///< with an active slot
  bool follows_slots_ = false;  ///< some stage follows active slots
  bool hears_changes_ = false;  ///< what constraints answer may change beside the view
  bool rests_ = false;          ///< a scheduler whose view is unchanged is not called
  bool idle_ = false;
};

}  // namespace heddle
