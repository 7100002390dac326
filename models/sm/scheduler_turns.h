#pragma once

// Runs the schedulers of an SM one after the other in every cycle. Constraints decide which warps may issue,
// each policy picks among them, and the picks issue. The class also provides the schedulers' state for
// waveforms and profiles.

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

  /// Called after the SM is built. Returns true if the schedulers' decisions depend only on their own view.
  bool assembled();
  void begin_kernel(Cycle cycle);
  void warp_starts(WarpId warp) { hooked(warp).on_warp_start(warp); }
  void warp_exits(WarpId warp) { hooked(warp).on_warp_end(warp); }
  /// Called when other units accept instructions than before.
  void set_units();
  /// No warp is resident.
  void no_warp();
  /// Calls LanePlans::show with the active sets and next instructions as of the end of the previous cycle.
  void show_lane_plans();
  /// Runs one cycle of all schedulers. With `may_idle`, idle() is valid afterwards.
  void take(InstructionIssue& issue, bool may_idle);
  /// True if no scheduler picked a warp in its last turn.
  bool idle() const { return idle_; }
  /// True if at least as many collectors are free as any scheduler can fill in a cycle.
  bool collectors_suffice() const {
    return std::all_of(w_.partitions.begin(), w_.partitions.end(),
                       [this](const IssuePartition& p) { return p.free_collectors().fewest() >= width_; });
  }
  /// Accounts slots up to `cycle`, which is excluded. They are idle for the reasons of the last turn.
  void settle_slots(Cycle cycle) {
    w_.accounts->settle(cycle, [this](std::size_t s) { return schedulers_[s].last_reason; });
  }
  /// Warps with an active slot, as of their schedulers' last turn.
  WarpSet active_warps() const { return active_; }

  int count() const { return static_cast<int>(schedulers_.size()); }
  SchedulerPolicy& policy(int scheduler) { return at(scheduler).policy(); }
  WarpSet active_of(int scheduler) const { return at(scheduler).policy().active(); }
  /// Reason for the idle slots of a scheduler's last turn, as an index of stall_reasons().
  std::size_t stall_of(int scheduler) const { return at(scheduler).last_reason; }
  const std::vector<std::string>& stall_reasons() const { return w_.constraints->reasons(); }
  /// The warp from which a scheduler issued last in its last turn, or -1. `issued`: warps that issued in this
  /// turn.
  int last_pick(int scheduler, WarpSet issued) const {
    const int pick = at(scheduler).last_pick;
    return pick >= 0 && issued.contains(WarpId(static_cast<std::uint32_t>(pick))) ? pick : -1;
  }

 private:
  WarpScheduler& at(int scheduler) { return schedulers_[static_cast<std::size_t>(scheduler)]; }
  const WarpScheduler& at(int scheduler) const { return schedulers_[static_cast<std::size_t>(scheduler)]; }
  /// Returns the policy of the warp's scheduler, and marks that a hook was called.
  SchedulerPolicy& hooked(WarpId warp) {
    WarpScheduler& scheduler = schedulers_[w_.warps->progress(warp).scheduler.value];
    scheduler.hooked = true;
    return scheduler.policy();
  }
  inline void schedule(WarpScheduler& scheduler, InstructionIssue& issue);
  inline int issue_picks(WarpScheduler& scheduler, InstructionIssue& issue);
  int issue_others(WarpScheduler& scheduler, InstructionIssue& issue);
  void pass_on_active_set(const WarpScheduler& scheduler);
  /// True if the constraints' state and the active set give no reason to run the scheduler again.
  inline bool undisturbed(WarpScheduler& scheduler) const;
  const ResourceView* resources();

  Wiring w_;
  int width_;  ///< most instructions that a scheduler issues in a cycle
  std::vector<WarpScheduler> schedulers_;
  ResourceView resources_;
  PickList picks_;                 ///< picks of the scheduler whose turn it is
  int first_ = 0;                  ///< scheduler that takes the first turn in the next cycle
  WarpSet active_;                 ///< warps with an active slot
  bool follows_slots_ = false;     ///< a stage follows active slots
  bool receives_changes_ = false;  ///< answers of constraints may change without a change of the view
  bool rests_ = false;             ///< a scheduler with an unchanged view is not run
  bool idle_ = false;
};

}  // namespace heddle
