#include "models/sm/scheduler_turns.h"

#include <algorithm>
#include <utility>

#include "models/sm/unit_demand.h"

namespace heddle {

SchedulerTurns::SchedulerTurns(const Wiring& wiring) : w_(wiring), width_(wiring.parameters->issue_width) {
  for (int s = 0; s < w_.parameters->schedulers(); ++s)
    schedulers_.emplace_back(*w_.parameters, s, *w_.readiness);
  set_units();
}

// Returns true if a scheduler need run only when the state of its warps (SchedulerView) has changed. Four
// settings require more runs: units may stop accepting instructions, constraints depend on other state,
// register stages depend on the active set, or the clock runs all modules in every cycle.
bool SchedulerTurns::assembled() {
  follows_slots_ = std::any_of(w_.partitions.begin(), w_.partitions.end(),
                               [](const IssuePartition& p) { return p.slots().followed(); });
  receives_changes_ = !w_.constraints->knows_the_view_alone();
  rests_ = w_.constraints->reports_changes() && !w_.units->varies() && !w_.clock->every_cycle();
  return rests_ && !receives_changes_ && !follows_slots_;
}

// Returns false if the scheduler must run: the constraints' state has changed since the last call, or a warp
// that the policy deschedules has drained (its near_in_flight is 0). In the second case, the register stages
// can free the warp's values, and the warp can give up its active slot.
bool SchedulerTurns::undisturbed(WarpScheduler& scheduler) const {
  if (receives_changes_) {
    const std::uint64_t changes = w_.constraints->changes(w_.clock->now());
    if (std::exchange(scheduler.seen_changes, changes) != changes) return false;
  }
  return !follows_slots_ || !(w_.readiness->sets().drained & scheduler.policy().leaving() & scheduler.mine());
}

void SchedulerTurns::begin_kernel(Cycle cycle) {
  no_warp();
  for (WarpScheduler& scheduler : schedulers_) {
    scheduler.policy().on_kernel_begin(cycle);
    scheduler.hooked = true;
  }
}

void SchedulerTurns::set_units() {
  for (WarpScheduler& scheduler : schedulers_) scheduler.set_units(w_.units->units(scheduler.partition()));
}

void SchedulerTurns::no_warp() {
  for (WarpScheduler& scheduler : schedulers_)
    scheduler.last_reason = static_cast<std::size_t>(StallReason::no_warp);
}

void SchedulerTurns::show_lane_plans() {
  const WarpSets& sets = w_.readiness->sets();
  for (std::size_t p = 0; p < w_.partitions.size(); ++p) {
    WarpSet active = 0;
    for (const WarpScheduler& scheduler : schedulers_)
      if (scheduler.partition() == p)
        active |= scheduler.policy().active() & ~scheduler.policy().leaving() & scheduler.mine();
    w_.plans->show({w_.clock->now(), p, active & sets.resident, sets.by_unit});
  }
}

// Runs all schedulers for one cycle. Schedulers share collectors, so that a scheduler that always ran last
// would starve. Therefore their order rotates: the first scheduler that issues in a cycle becomes the last
// scheduler in the next cycle with an issue.
void SchedulerTurns::take(InstructionIssue& issue, bool may_idle) {
  const int count = this->count();
  bool moved = false, idle = may_idle;
  for (int step = 0, s = first_; step < count; ++step, s = s + 1 == count ? 0 : s + 1) {
    WarpScheduler& scheduler = at(s);
    if (rests_ && undisturbed(scheduler) &&
        scheduler.rests(*w_.readiness, w_.partitions[scheduler.partition()].free_collectors(), width_)) {
      w_.accounts->slots(static_cast<std::size_t>(scheduler.number()), 0, scheduler.last_reason);
      continue;
    }
    schedule(scheduler, issue);
    idle = idle && scheduler.idle();
    if (moved || scheduler.last_pick < 0) continue;
    first_ = s + 1 == count ? 0 : s + 1;
    moved = true;
  }
  idle_ = idle;
}

// Calls the constraints, which compute the warps that may issue, then the policy, which picks among them, and
// issues the picked instructions.
void SchedulerTurns::schedule(WarpScheduler& scheduler, InstructionIssue& issue) {
  const WarpSets& sets = w_.readiness->sets();
  const std::size_t p = scheduler.partition();
  const WarpSet drained = sets.drained & scheduler.mine();
  const ActiveSlots* slots = follows_slots_ ? &w_.partitions[p].slots() : nullptr;
  scheduler.look(
      *w_.readiness, *w_.constraints, *w_.lanes, w_.partitions[p].free_collectors().at_most(width_),
      {w_.clock->now(), slots ? slots->left_by(drained, scheduler.policy().leaving()) : drained,
       slots ? slots->bound() : WarpSet{}, w_.constraints->needs().budgets ? resources() : nullptr});
  if (scheduler.issues_pairs()) scheduler.look_past_first(*w_.readiness, *w_.constraints, *w_.lanes);

  picks_.clear();
  const bool again = scheduler.choose(picks_);
  if (again) w_.stage->wake();

  if (again || scheduler.hooked) {
    active_ = (active_ & ~scheduler.mine()) | (scheduler.policy().active() & scheduler.mine());
    scheduler.hooked = false;
  }
  if (follows_slots_) pass_on_active_set(scheduler);
  if (w_.units->varies()) count_demand(*w_.units, p, scheduler.policy(), scheduler.view(), *w_.lanes, width_);

  scheduler.last_pick = -1;
  const int issued = picks_.size() == 0 ? 0 : issue_picks(scheduler, issue);
  if (issued > 0) w_.stage->wake();

  if (issued < width_) scheduler.last_reason = scheduler.reason(*w_.readiness, issued);
  w_.accounts->slots(static_cast<std::size_t>(scheduler.number()), issued, scheduler.last_reason);
}

int SchedulerTurns::issue_picks(WarpScheduler& scheduler, InstructionIssue& issue) {
  const Pick& first = *picks_.begin();
  issue.issue(first.warp, first.cluster);
  scheduler.last_pick = static_cast<int>(first.warp.value);
  return picks_.size() == 1 ? 1 : issue_others(scheduler, issue);
}

// Issues the second and further picks of a scheduler in a cycle, and returns the number of all issued picks.
// Checks the constraints again for each of these picks, because an earlier pick may have taken the resources
// that it needs.
int SchedulerTurns::issue_others(WarpScheduler& scheduler, InstructionIssue& issue) {
  const IssuePartition& partition = w_.partitions[scheduler.partition()];
  const WarpSet control = w_.readiness->sets().by_unit[index_of(isa::UnitClass::control)];
  WarpSet picked = WarpSet::of(picks_.begin()->warp);
  int issued = 1;
  for (const Pick* pick = picks_.begin() + 1; pick != picks_.end(); ++pick) {
    const bool second = picked.contains(pick->warp);
    const auto instructions = second ? w_.readiness->seconds() : w_.readiness->heads();
    if (!control.contains(pick->warp) &&
        partition.free_collectors().of(instructions[pick->warp.value]->unit) <= 0)
      break;
    if (w_.constraints->needs().issues) {
      if (w_.constraints->needs().budgets) resources();
      if (!scheduler.still_passes(*w_.constraints, *w_.readiness, *pick, second, partition.slots().bound()))
        break;
    }
    issue.issue(pick->warp, pick->cluster);
    picked.add(pick->warp);
    scheduler.last_pick = static_cast<int>(pick->warp.value);
    ++issued;
  }
  return issued;
}

void SchedulerTurns::pass_on_active_set(const WarpScheduler& scheduler) {
  const WarpSets& sets = w_.readiness->sets();
  const WarpSet mine = scheduler.mine();
  const SchedulerPolicy& policy = scheduler.policy();
  if (w_.partitions[scheduler.partition()].slots().pass_on(policy.leaving(), policy.active(),
                                                           sets.drained & mine, sets.resident & mine))
    w_.stage->clock().wake();
}

const ResourceView* SchedulerTurns::resources() {
  resources_.registers.resize(w_.partitions.size());
  for (std::size_t p = 0; p < w_.partitions.size(); ++p)
    w_.partitions[p].path().budget(resources_.registers[p]);
  return &resources_;
}

}  // namespace heddle
