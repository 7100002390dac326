#pragma once

// Runs the warp schedulers of an SM one after another in every cycle. Constraints decide which warps may
// issue, each scheduler's policy picks among them, and the picked instructions issue.

#include <algorithm>
#include <string>
#include <vector>

#include "models/ports/lane_plans.h"
#include "models/sm/instruction_issue.h"
#include "models/sm/warp_scheduler.h"

namespace heddle {

class SchedulerTurns {
 public:
  struct Wiring {
    ClockedModule* stage = nullptr;
    const Clock* clock = nullptr;
    const SmParameters* parameters = nullptr;
    const WarpTable* warps = nullptr;
    Readiness* readiness = nullptr;
    ConstraintChain* constraints = nullptr;
    LaneNeeds* lanes = nullptr;
    LanePlans* plans = nullptr;
    UnitAvailability* units = nullptr;
    IssueAccounts* accounts = nullptr;
    std::span<IssuePartition> partitions;
  };
  explicit SchedulerTurns(const Wiring& wiring);

  /// Must be called after the SM is built. Returns true if a scheduler need run only when the state of its
  /// warps (SchedulerView) has changed.
  bool assembled();
  void begin_kernel(Cycle cycle);
  void warp_starts(WarpId warp) { hooked(warp).on_warp_start(warp); }
  void warp_exits(WarpId warp) { hooked(warp).on_warp_end(warp); }
  void set_units();
  void no_warp();
  void show_lane_plans();
  /// Runs one cycle of all schedulers. `may_idle`: false if the caller does not need idle() afterwards.
  void take(InstructionIssue& issue, bool may_idle);
  bool idle() const { return idle_; }
  /// True if in every partition at least as many collectors are free as one scheduler can fill in a cycle.
  bool collectors_suffice() const {
    return std::all_of(w_.partitions.begin(), w_.partitions.end(),
                       [this](const IssuePartition& p) { return p.free_collectors().fewest() >= width_; });
  }
  void settle_slots(Cycle cycle) {
    w_.accounts->settle(cycle, [this](std::size_t s) { return schedulers_[s].last_reason; });
  }
  WarpSet active_warps() const { return active_; }

  int count() const { return static_cast<int>(schedulers_.size()); }
  SchedulerPolicy& policy(int scheduler) { return at(scheduler).policy(); }
  WarpSet active_of(int scheduler) const { return at(scheduler).policy().active(); }
  /// Returns the reason for the idle slots of a scheduler in its last run, as an index of stall_reasons().
  std::size_t stall_of(int scheduler) const { return at(scheduler).last_reason; }
  const std::vector<std::string>& stall_reasons() const { return w_.constraints->reasons(); }
  /// Returns the warp whose instruction a scheduler issued last in the current cycle, or -1. `issued`: warps
  /// that issued in this cycle.
  int last_pick(int scheduler, WarpSet issued) const {
    const int pick = at(scheduler).last_pick;
    return pick >= 0 && issued.contains(WarpId(static_cast<std::uint32_t>(pick))) ? pick : -1;
  }

 private:
  WarpScheduler& at(int scheduler) { return schedulers_[static_cast<std::size_t>(scheduler)]; }
  const WarpScheduler& at(int scheduler) const { return schedulers_[static_cast<std::size_t>(scheduler)]; }
  /// Returns the policy of the warp's scheduler, so that the caller can notify it of an event. Makes the
  /// scheduler run again, because the event may change the policy's choice.
  SchedulerPolicy& hooked(WarpId warp) {
    WarpScheduler& scheduler = schedulers_[w_.warps->progress(warp).scheduler.value];
    scheduler.hooked = true;
    return scheduler.policy();
  }
  inline void schedule(WarpScheduler& scheduler, InstructionIssue& issue);
  inline int issue_picks(WarpScheduler& scheduler, InstructionIssue& issue);
  int issue_others(WarpScheduler& scheduler, InstructionIssue& issue);
  void pass_on_active_set(const WarpScheduler& scheduler);
  /// False if the scheduler must run because the state of the constraints has changed, or because a warp can
  /// give up its active slot.
  inline bool undisturbed(WarpScheduler& scheduler) const;
  const ResourceView* resources();

  Wiring w_;
  int width_;
  std::vector<WarpScheduler> schedulers_;
  ResourceView resources_;
  PickList picks_;
  int first_ = 0;
  WarpSet active_;
  bool follows_slots_ = false;
  /// true: the set of warps that the constraints block may change although the SchedulerView stays the same
  bool receives_changes_ = false;
  bool rests_ = false;
  bool idle_ = false;
};

}  // namespace heddle
