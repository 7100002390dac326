#pragma once

// One warp scheduler of an SM: what its constraints and its policy see in a cycle, and what they say.

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

  /// Which units of its partition take instructions; holds until it is set again.
  void set_units(const UnitViews& units);

  /// What the issue stage knows beside the sets of Readiness, and collectors: of each set not more than it can fill in a
  /// cycle.
  struct Surroundings {
    Cycle now = 0;
    WarpSet drained = 0, bound = 0;
    const ResourceView* resources = nullptr;
  };
  /// Asks the constraints about the head instructions.
  void look(const Readiness& readiness, const ConstraintChain& constraints, LaneNeeds& lanes,
            const isa::FreeCollectors& free_collectors, const Surroundings& around);
  /// Its policy may issue two instructions of a warp in a cycle.
  bool issues_pairs() const { return pairs_; }
  /// Asks them about the instructions after the heads that may issue.
  void look_behind(Readiness& readiness, const ConstraintChain& constraints, LaneNeeds& lanes);
  /// The policy's picks; true if it wants to be asked in the next cycle.
  bool choose(PickList& picks) {
    const bool again = policy_->choose(view_, picks);
    rests_ = !again && picks.size() == 0;
    return again;
  }
  /// It picked nothing when it was last asked, and what it saw then is still so, if constraints hear of
  /// nothing: its policy would pick nothing again (SchedulerPolicy says why). It can fill `width` collectors in a cycle.
  bool rests(const Readiness& readiness, const isa::FreeCollectors& free_collectors, int width) const {
    if (!rests_ || readiness.changed() & mine_) return false;
    if (const WarpSet drained = readiness.just_drained() & mine_)
      if (drained & policy_->leaving()) return false;
    return constraint_.free_collectors == free_collectors.at_most(width);
  }
  /// It picked nothing when it was last asked.
  bool idle() const { return rests_; }
  /// Whether a pick still passes when others of the cycle have been issued; `second`: it names a warp that
  /// has issued.
  /// `bound`: as of now, since the first of two instructions may end what bound the warp.
  bool still_passes(const ConstraintChain& constraints, const Readiness& readiness, const Pick& pick,
                    bool second, WarpSet bound);
  /// Why slots stay idle in which nothing issues, as a number of ConstraintChain::reasons().
  std::size_t reason(const Readiness& readiness, int issued) const;
  const SchedulerView& view() const { return view_; }

  // Of the last tick.
  std::size_t last_reason = static_cast<std::size_t>(StallReason::no_warp);
  int last_pick = -1;
  std::uint64_t seen_changes = 0;  ///< of the constraints, when it was last asked
  /// Since it was last asked: a hook of its policy was called, which may have changed its active set.
  bool hooked = true;

 private:
  /// Asks those that may block one of `candidates`, whose instructions these are. What the view says of them is worked
  /// out for those that are asked: `by_unit()`, and the lanes.
  template <class ByUnit>
  void ask(const ConstraintChain& constraints, LaneNeeds& lanes, WarpSet candidates,
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
    if (links) constraints.ask(links, constraint_, blocked);
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
  ask(
      constraints, lanes, view_.has_instruction, readiness.heads(), [this] { return view_.by_unit; },
      blocked_);
  view_.resident = sets.resident & mine_;
  view_.full = sets.full;
  view_.ready = view_.has_instruction & ~blocked_.all;
  view_.ready_second = 0;
  view_.no_unit = blocked_.no_unit;
  view_.long_wait = sets.long_wait & mine_ & ~around.bound;
  view_.lasting_wait = (sets.at_barrier | sets.at_fence | blocked_.lasting) & mine_ & ~around.bound;
  view_.drained = around.drained;
}

}  // namespace heddle
