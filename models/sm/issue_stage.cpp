#include "models/sm/issue_stage.h"

namespace heddle {

IssueStage::IssueStage(const sc_core::sc_module_name& name, const Wiring& w)
    : ClockedModule(name, *w.clock),
      s_(*this, w),
      back_end_(s_, w.warp_ended),
      schedulers_(s_),
      issue_({&s_, w.place, w.clock_mhz, [this](WarpId warp) {
                schedulers_.warp_exits(warp);
                back_end_.finish_if_drained(warp);
              }}) {
  s_.life.set_reader(*this);
  s_.buffers.set_reader(*this);
  s_.lanes.set_planner(s_.plans.planner());
}

void IssueStage::connect(int partition, RegisterPort& port) {
  IssuePartition& p = s_.partitions[static_cast<std::size_t>(partition)];
  p.path = &port.path();
  p.free_collectors = isa::FreeCollectors(port.operands().places());
  s_.releases.connect(static_cast<std::size_t>(partition), port);
  if (s_.releases.by_flags()) s_.readiness.lists_release();
}

void IssueStage::assembled(std::span<const RegisterClaims* const> by_partition, bool hears_flags) {
  s_.constraints.assembled(by_partition);
  s_.constraints.subscribe(s_.life);
  s_.releases.subscribe(s_.life, hears_flags);
  rests_ = schedulers_.assembled() && s_.plans.next_change() == kNever && !s_.releases.any() &&
           !s_.residency.may_hold();
  if (rests_) rest();
  if (!s_.units.varies()) s_.life.set_hearer_of_left(s_.units);
}

void IssueStage::begin_kernel(Cycle cycle, const LoadedKernel& kernel) {
  be_due(cycle);
  s_.accounts.begin(cycle, kernel.footprints());
  s_.records.begin(kernel.footprints());
  s_.readiness.begin(kernel.footprints());
  s_.units.begin_kernel(cycle);
  if (s_.units.varies()) schedulers_.set_units();
  schedulers_.begin_kernel(cycle);
}

void IssueStage::start_warp(const WarpContext& context, const LoadedKernel& kernel) {
  if (s_.warps.taken().empty()) schedulers_.settle_slots(now());
  be_due(0);  // run in this cycle, if the stage has not run yet
  const WarpId id = context.warp;
  const SchedulerId scheduler(s_.parameters.homes().scheduler(id));
  s_.warps.start(context, kernel, scheduler, static_cast<std::uint32_t>(partition_of(id)));
  s_.readiness.started(id, context.age, context.cta_slot);
  schedulers_.warp_starts(id);
  issue_.control().redirect(id);
  const isa::Program& program = kernel.program();
  s_.life.warp_begins({id, kernel.launch().id, &program, program.registers, context.lanes, context.cta_slot});
}

// Steps:
//  1. Update the units that accept instructions.
//  2. Process the reports of the back end.
//  3. Update the readiness of warps.
//  4. Update the held warps.
//  5. Update the lane plans.
//  6. Every scheduler picks and issues.
//  7. Report the demand for units.
//  8. Send results of control instructions to the result bus.
void IssueStage::tick() {
  issue_.begin_cycle();
  const bool worked = !s_.warps.taken().empty();
  if (worked && s_.units.next_change() <= now() && s_.units.advance(now())) schedulers_.set_units();
  back_end_.take_in();
  if (s_.releases.has_sent())
    for (const WarpId warp : s_.releases.take_sent()) {
      s_.readiness.freed(warp);
      s_.releases.freed(warp);
    }
  s_.readiness.refresh();
  if (s_.residency.next_change() <= now()) step_residency();
  if (s_.plans.next_change() <= now()) schedulers_.show_lane_plans();
  if (rests_) due_at(s_.buffers.next_arrival(~s_.readiness.sets().has_instruction));
  // If no slot can be filled, the slots are accounted when the state changes.
  if (schedulers_.idle() && !back_end_.collectors_came() &&
      !(s_.readiness.changed() | s_.readiness.just_drained()) && !issue_.holds_results()) {
    if (s_.readiness.any_waits_for_reads()) s_.life.let_dispatches_wait(false);
    return;
  }
  if (worked) schedulers_.settle_slots(now());
  if (s_.warps.taken().empty()) {
    // Idle slots of an empty SM are accounted when the next warp starts, or at the end.
    schedulers_.no_warp();
    if (s_.units.varies()) s_.units.set_demand(now());
    s_.accounts.set_warps(now(), s_.readiness.sets().resident, schedulers_.active_warps());
    return;
  }
  back_end_.forget_collectors();
  schedulers_.take(issue_, rests_);
  // Holds until the schedulers run again, which is the next cycle if they issued an instruction.
  if (rests_)
    s_.life.let_dispatches_wait(schedulers_.idle() && !s_.readiness.any_waits_for_reads() &&
                                schedulers_.collectors_suffice());
  if (s_.units.varies()) s_.units.set_demand(now());
  if (s_.units.next_change() != kNever) clock().due_at(s_.units.next_change(), Clock::NoWork());
  if (s_.plans.next_change() != kNever) clock().due_at(s_.plans.next_change(), Clock::NoWork());
  if (s_.constraints.needs().time) due_at(s_.constraints.next_change(now()));
  if (issue_.holds_results()) issue_.push_held_results();
  s_.accounts.end_cycle(now(), s_.readiness.sets().resident, schedulers_.active_warps());
}

void IssueStage::step_residency() {
  s_.residency.step(now(), s_.bound());
  while (const auto owed = s_.away.next_owed()) issue_.send_vote(owed->first, owed->second);
  s_.constraints.renew_held();
  if (const Cycle next = s_.residency.next_change(); next != kNever && next > now()) due_at(next);
}

void IssueStage::settle(Cycle cycle) {
  schedulers_.settle_slots(cycle);
  s_.accounts.sum_up();
  s_.residency.settle(cycle);
}

void IssueStage::check_conservation() const {
  s_.accounts.check_conservation(name(), s_.records.outstanding());
  s_.residency.check_conservation(name());
  s_.releases.check_conservation(name());
}

}  // namespace heddle
