#pragma once

// One warp scheduler of an SM: its policy, the inputs of constraints and policy in a cycle, and the results.

#include <memory>

#include "models/scheduler/i_scheduler_policy.h"
#include "models/sm/constraint_chain.h"
#include "models/sm/lane_needs.h"
#include "models/sm/readiness.h"
#include "models/sm/sm_parameters.h"

namespace heddle {

class WarpScheduler {
 public:
  WarpScheduler(const SmParameters& parameters, int number, const Readiness& readiness);

  int number() const { return number_; }
  std::size_t partition() const { return partition_; }
  WarpSet mine() const { return mine_; }
  SchedulerPolicy& policy() { return *policy_; }
  const SchedulerPolicy& policy() const { return *policy_; }

  void set_units(const UnitViews& units);

  /// Inputs of a scheduler in one cycle, in addition to Readiness and free collectors. `drained`: see
  /// WarpSets. `bound`: warps that must keep their active slot. `resources`: free registers.
  struct Surroundings {
    Cycle now = 0;
    WarpSet drained = 0, bound = 0;
    const ResourceView* resources = nullptr;
  };
  /// Calls the constraints for the next instruction of each warp. `free_collectors`: free collectors of each
  /// kind, at most as many as the scheduler can fill in a cycle.
  void look(const Readiness& readiness, const ConstraintChain& constraints, LaneNeeds& lanes,
            const isa::FreeCollectors& free_collectors, const Surroundings& around);
  bool issues_pairs() const { return pairs_; }
  /// Calls the constraints for the second instruction of each warp whose first instruction may issue.
  void look_past_first(Readiness& readiness, const ConstraintChain& constraints, LaneNeeds& lanes);
  /// Lets the policy pick warps. Returns true if the policy must be called again in the next cycle.
  bool choose(PickList& picks) {
    const bool again = policy_->choose(view_, picks);
    rests_ = !again && picks.size() == 0;
    return again;
  }
  /// True if the scheduler would again pick no warp: it picked no warp in its last run, and its view has not
  /// changed. The caller must also check the state of the constraints. `width`: number of collectors that the
  /// scheduler can fill in a cycle.
  bool rests(const Readiness& readiness, const isa::FreeCollectors& free_collectors, int width) const {
    if (!rests_ || readiness.changed() & mine_) return false;
    if (const WarpSet drained = readiness.just_drained() & mine_)
      if (drained & policy_->leaving()) return false;
    return constraint_.free_collectors == free_collectors.at_most(width);
  }
  bool idle() const { return rests_; }
  /// True if a pick may still issue after other picks of the same cycle. `second`: the pick is the second
  /// instruction of its warp. `bound`: warps that must keep their slot now.
  bool still_passes(const ConstraintChain& constraints, const Readiness& readiness, const Pick& pick,
                    bool second, WarpSet bound);
  /// Returns the reason for the slots that stay idle after `issued` instructions, as an index of
  /// ConstraintChain::reasons().
  std::size_t reason(const Readiness& readiness, int issued) const;
  const SchedulerView& view() const { return view_; }

  std::size_t last_reason = static_cast<std::size_t>(StallReason::no_warp);
  int last_pick = -1;
  std::uint64_t seen_changes = 0;
  /// True if the policy has been notified of an event since the scheduler last ran. Such an event may have
  /// changed the active set.
  bool hooked = true;

 private:
  /// Calls the constraints that may block a warp of `candidates`. `instructions`: their instructions, indexed
  /// by warp.
  template <class ByUnit>
  void query(const ConstraintChain& constraints, LaneNeeds& lanes, WarpSet candidates,
             std::span<const isa::Instruction* const> instructions, const ByUnit& by_unit,
             ConstraintChain::Blocked& blocked) {
    constraints.begin(constraint_, blocked);
    const std::uint64_t links = constraints.asked_for(constraint_);
    if (links || lanes.listens()) {
      constraint_.candidates = candidates;
      constraint_.instructions = instructions;
      constraint_.by_unit = by_unit();
      lanes.note(constraint_, constraint_.candidates & ~blocked.all);
    }
    if (links) constraints.query(links, constraint_, blocked);
  }

  int number_;
  std::size_t partition_;
  WarpSet mine_ = 0;
  std::unique_ptr<SchedulerPolicy> policy_;
  bool pairs_;
  ConstraintView constraint_;
  ConstraintChain::Blocked blocked_;
  SchedulerView view_;
  bool rests_ = false;
};

inline void WarpScheduler::look(const Readiness& readiness, const ConstraintChain& constraints,
                                LaneNeeds& lanes, const isa::FreeCollectors& free_collectors,
                                const Surroundings& around) {
  const WarpSets& sets = readiness.sets();
  constraint_.now = view_.now = around.now;
  constraint_.slot = 0;
  view_.has_instruction = sets.has_instruction & mine_;
  view_.by_unit = sets.by_unit;
  constraint_.hazard = sets.hazard & mine_;
  constraint_.bound = around.bound;
  constraint_.free_collectors = free_collectors;
  constraint_.resources = around.resources;
  query(
      constraints, lanes, view_.has_instruction, readiness.heads(), [this] { return view_.by_unit; },
      blocked_);
  view_.resident = sets.resident & mine_;
  view_.full = sets.full;
  view_.ready = view_.has_instruction & ~blocked_.all;
  view_.ready_second = 0;
  view_.unit_unavailable = blocked_.unit_unavailable;
  view_.long_wait = sets.long_wait & mine_ & ~around.bound;
  view_.lasting_wait =
      (sets.at_barrier | sets.at_fence | sets.at_async | blocked_.lasting) & mine_ & ~around.bound;
  view_.drained = around.drained;
}

}  // namespace heddle
