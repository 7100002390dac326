#include "models/sm/issue_stage.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {
namespace {

std::vector<WarpScheduler> make_schedulers(const SmParameters& parameters, const Readiness& readiness) {
  std::vector<WarpScheduler> schedulers;
  for (int s = 0; s < parameters.schedulers(); ++s) schedulers.emplace_back(parameters, s, readiness);
  return schedulers;
}

}  // namespace

IssueStage::IssueStage(const sc_core::sc_module_name& name, const Wiring& w)
    : ClockedModule(name, *w.clock),
      parameters_(*w.parameters),
      place_(w.place),
      clock_mhz_(w.clock_mhz),
      warp_ended_(w.warp_ended),
      buffers_(*w.clock, parameters_.max_warps, parameters_.front_end.ibuffer_entries,
               w.stats.add("stale", "instructions",
                           "decoded instructions that a redirect or the warp's end made superfluous")),
      life_(*w.life),
      warps_(parameters_.max_warps),
      readiness_(warps_, buffers_),
      constraints_(parameters_.constraints, {parameters_.max_warps, parameters_.max_ctas,
                                             parameters_.schedulers(), parameters_.partitions}),
      schedulers_(make_schedulers(parameters_, readiness_)),
      lanes_(warps_, buffers_, w.power->in_parts()),
      folding_(*w.folding),
      power_(*w.power, parameters_, w.pipeline_overhead),
      releases_(*w.clock, warps_, parameters_.partitions),
      accounts_(w.stats, parameters_.schedulers(), parameters_.issue_width, constraints_.reasons()),
      control_(
          {&warps_, &readiness_, &buffers_, &accounts_, this, w.place, w.clock_mhz, parameters_.max_ctas}),
      partitions_(static_cast<std::size_t>(parameters_.partitions)) {
  life_.set_reader(*this);
  buffers_.set_reader(*this);
  if (folding_.in_force()) lanes_.set_planner(&folding_);
  if (constraints_.spills())
    spiller_ = std::make_unique<RegisterSpiller>(RegisterSpiller::Wiring{
        w.clock, &warps_, &buffers_, &readiness_, &releases_, w.stats.scope("spiller")});
  for (WarpScheduler& scheduler : schedulers_) scheduler.set_units(power_.units(scheduler.partition()));
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    partitions_[p].collectors =
        std::make_unique<InstructionOutlet>(fmt::format("to_collectors{}", p).c_str());
    partitions_[p].results = std::make_unique<InstructionOutlet>(fmt::format("to_result_bus{}", p).c_str());
  }
}

void IssueStage::connect(int partition, RegisterPort& port) {
  Partition& p = partitions_[static_cast<std::size_t>(partition)];
  p.path = &port.path();
  p.free_collectors = isa::FreeCollectors(parameters_.register_file.collectors.values);
  releases_.connect(static_cast<std::size_t>(partition), port);
  if (releases_.by_flags()) readiness_.lists_release();
}

void IssueStage::assembled(std::span<const RegisterClaims* const> by_partition, bool hears_flags) {
  constraints_.assembled(by_partition);
  if (spiller_) spiller_->assembled(by_partition);
  constraints_.subscribe(life_);
  releases_.subscribe(life_, hears_flags);
  follows_slots_ = std::any_of(partitions_.begin(), partitions_.end(),
                               [](const Partition& p) { return p.path->slots().followed(); });
  // Where stages or power domains follow the active set, they hear every cycle.
  rests_.schedulers =
      constraints_.knows_the_view_alone() && !follows_slots_ && !power_.gates() && !clock().every_cycle();
  rests_.all = rests_.schedulers && !folding_.in_force() && !releases_.any() && !spiller_;
  if (rests_.all) rest();
}

void IssueStage::begin_kernel(Cycle cycle, const LoadedKernel& kernel) {
  be_due(cycle);
  may_spill_ = kernel.spill_code() != nullptr;
  accounts_.begin(cycle, kernel.footprints());
  readiness_.begin(kernel.footprints());
  power_.begin_kernel(cycle);
  folding_.begin(cycle);
  for (WarpScheduler& scheduler : schedulers_) {
    scheduler.last_reason = static_cast<std::size_t>(StallReason::no_warp);
    scheduler.policy().on_kernel_begin(cycle);
  }
}

void IssueStage::start_warp(const WarpContext& context, const LoadedKernel& kernel) {
  if (warps_.taken().empty()) {
    settle_slots(now());
    if (folding_.in_force()) folding_.warps_start(now());
  }
  be_due(0);  // in this cycle, if it has still to tick
  const WarpId id = context.warp;
  const SchedulerId scheduler(parameters_.homes().scheduler(id));
  warps_.start(context, kernel, scheduler, static_cast<std::uint32_t>(partition_of(id)));
  readiness_.started(id, context.age, context.cta_slot);
  schedulers_[scheduler.value].policy().on_warp_start(id);
  control_.redirect(id);
  const isa::Program& program = kernel.program();
  life_.warp_begins({id, kernel.launch().id, &program, program.registers, context.lanes, context.cta_slot});
}

// 1. the states of the power domains   2. what the back end reported   3. which warps can do what
// 4. whose registers go to memory and come back   5. what folds   6. every scheduler picks and issues
// 7. what the power domains have to know of that   8. results of control instructions go to the result bus
void IssueStage::tick() {
  issued_now_ = 0;
  const bool worked = !warps_.taken().empty();
  if (worked && power_.gates() && power_.begin_cycle(now()))
    for (WarpScheduler& scheduler : schedulers_) scheduler.set_units(power_.units(scheduler.partition()));
  take_events();
  if (releases_.has_sent())
    for (const WarpId warp : releases_.take_sent()) {
      readiness_.freed(warp);
      releases_.freed(warp);
    }
  readiness_.refresh();
  if (may_spill_) [[unlikely]]
    move_registers();
  if (folding_.in_force() && folding_.due(now())) decide_folding();
  if (life_.has_more()) be_due(now() + 1);
  be_due(buffers_.next_arrival());
  // Slots that nothing can fill are accounted when something has changed.
  if (rests_.idle && !rests_.collectors_came && !(readiness_.changed() | readiness_.just_drained()) &&
      held_results_ == 0)
    return;
  if (worked) settle_slots(now());
  if (warps_.taken().empty()) {
    // Idle slots without any warp are accounted when the next one starts, or at the end.
    for (WarpScheduler& scheduler : schedulers_)
      scheduler.last_reason = static_cast<std::size_t>(StallReason::no_warp);
    if (power_.gates()) power_.set_inputs(now());
    accounts_.set_warps(readiness_.sets().resident, active_warps());
    return;
  }
  schedule_in_turn();
  if (power_.gates()) {
    power_.set_inputs(now());
    if (power_.next_change() != kNever) clock().due_at(power_.next_change(), Clock::NoWork());
  }
  if (folding_.in_force() && folding_.next_change() != kNever)
    clock().due_at(folding_.next_change(), Clock::NoWork());
  if (held_results_ != 0) push_held_results();
  accounts_.end_cycle(now(), readiness_.sets().resident, active_warps());
}

void IssueStage::move_registers() {
  const SpillView& view = spiller_->look(bound());
  while (const auto owed = spiller_->next_owed()) send_vote(owed->first, owed->second);
  spiller_->obey(constraints_.order_spills(view));
  constraints_.set_spilled(spiller_->idle());
}

// By the active sets and next instructions as of the end of the previous cycle.
void IssueStage::decide_folding() {
  const WarpSets& sets = readiness_.sets();
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    WarpSet active = 0;
    for (const WarpScheduler& scheduler : schedulers_)
      if (scheduler.partition() == p)
        active |= scheduler.policy().active() & ~scheduler.policy().leaving() & scheduler.mine();
    active &= sets.resident;
    folding_.update(now(), p, (sets.by_unit[index_of(isa::UnitClass::int_)] & active).count(),
                    (sets.by_unit[index_of(isa::UnitClass::fp)] & active).count());
  }
}

// Schedulers that share collectors take turns: the first one that issues goes last in the next cycle with an
// issue. A fixed order would starve the others.
void IssueStage::schedule_in_turn() {
  const int count = schedulers();
  bool moved = false, idle = rests_.all;
  rests_.collectors_came = false;
  for (int step = 0, s = first_scheduler_; step < count; ++step, s = s + 1 == count ? 0 : s + 1) {
    WarpScheduler& scheduler = schedulers_[static_cast<std::size_t>(s)];
    const isa::FreeCollectors free =
        partitions_[scheduler.partition()].free_collectors.at_most(parameters_.issue_width);
    if (rests_.schedulers && scheduler.rests(readiness_, free)) {
      accounts_.slots(static_cast<std::size_t>(scheduler.number()), 0, scheduler.last_reason);
      continue;
    }
    schedule(scheduler, free);
    idle = idle && scheduler.idle();
    if (moved || scheduler.last_pick < 0) continue;
    first_scheduler_ = s + 1 == count ? 0 : s + 1;
    moved = true;
  }
  rests_.idle = idle;
}

// 1. the constraints say which warps may issue   2. the policy picks   3. stages and power domains hear of
// its active set   4. the picks issue   5. the slots are accounted
void IssueStage::schedule(WarpScheduler& scheduler, const isa::FreeCollectors& free_collectors) {
  const WarpSets& sets = readiness_.sets();
  const std::size_t p = scheduler.partition();
  const WarpSet drained = sets.drained & scheduler.mine();
  const ActiveSlots* slots = follows_slots_ ? &slots_of(p) : nullptr;
  scheduler.look(
      readiness_, constraints_, lanes_,
      {now(), free_collectors, slots ? slots->left_by(drained, scheduler.policy().leaving()) : drained,
       slots ? slots->bound() : WarpSet{}, constraints_.needs().budgets ? resources() : nullptr});
  if (parameters_.issue_width > 1) scheduler.look_behind(readiness_, constraints_, lanes_);

  picks_.clear();
  if (scheduler.choose(picks_)) wake();

  note_active_set(scheduler);
  if (power_.gates()) power_.count(p, scheduler.policy(), scheduler.view(), lanes_);

  scheduler.last_pick = -1;
  const int issued = picks_.size() == 0 ? 0 : issue_picks(scheduler);
  if (issued > 0) wake();

  if (folding_.in_force()) folding_.issued(p, issued);
  if (issued < parameters_.issue_width) scheduler.last_reason = scheduler.reason(readiness_, issued);
  accounts_.slots(static_cast<std::size_t>(scheduler.number()), issued, scheduler.last_reason);
}

int IssueStage::issue_picks(WarpScheduler& scheduler) {
  int issued = 0;
  WarpSet picked = 0;
  for (const Pick& pick : picks_) {
    if (issued > 0) {
      // What an earlier pick of this cycle took may leave none for a later one.
      const WarpSet control = readiness_.sets().by_unit[index_of(isa::UnitClass::control)];
      const auto instructions = picked.contains(pick.warp) ? readiness_.seconds() : readiness_.heads();
      const isa::FreeCollectors& free = partitions_[scheduler.partition()].free_collectors;
      if (!control.contains(pick.warp) && free.of(instructions[pick.warp.value]->unit) <= 0) break;
      if (constraints_.needs().issues) {
        if (constraints_.needs().budgets) resources();
        if (!scheduler.still_passes(constraints_, readiness_, pick, picked.contains(pick.warp),
                                    slots_of(scheduler.partition()).bound()))
          break;
      }
    }
    issue(pick.warp, pick.cluster);
    picked.add(pick.warp);
    scheduler.last_pick = static_cast<int>(pick.warp.value);
    ++issued;
  }
  return issued;
}

void IssueStage::note_active_set(WarpScheduler& scheduler) {
  const WarpSets& sets = readiness_.sets();
  const WarpSet mine = scheduler.mine();
  const SchedulerPolicy& policy = scheduler.policy();
  if (follows_slots_ &&
      slots_of(scheduler.partition())
          .pass_on(policy.leaving(), policy.active(), sets.drained & mine, sets.resident & mine))
    clock().wake();
  scheduler.active = policy.active() & mine;
}

// By their strands.
WarpSet IssueStage::bound() const {
  WarpSet bound;
  for (const Partition& partition : partitions_) bound |= partition.path->slots().bound();
  return bound;
}

// Filled anew for each question, so that what was taken within the cycle counts.
const ResourceView* IssueStage::resources() {
  resources_.registers.resize(partitions_.size());
  for (std::size_t p = 0; p < partitions_.size(); ++p) partitions_[p].path->budget(resources_.registers[p]);
  return &resources_;
}

WarpSet IssueStage::active_warps() const {
  WarpSet active = 0;
  for (const WarpScheduler& scheduler : schedulers_) active |= scheduler.active;
  return active;
}

void IssueStage::settle(Cycle cycle) {
  settle_slots(cycle);
  accounts_.sum_up();
  if (spiller_) spiller_->settle(cycle);
}

void IssueStage::settle_slots(Cycle cycle) {
  accounts_.settle(cycle, [this](std::size_t s) { return schedulers_[s].last_reason; });
}

void IssueStage::check_conservation() const {
  accounts_.check_conservation(name(), pool_.outstanding());
  if (spiller_) spiller_->check_conservation(name());
  releases_.check_conservation(name());
}

std::string IssueStage::describe(WarpId id) const {
  const WarpState& warp = warps_.state(id);
  const WarpProgress& progress = warps_.progress(id);
  if (!resident(id)) return "empty";
  std::string text = fmt::format("CTA {} warp {}: ", warp.context.cta, warp.context.warp_in_cta);
  if (!warps_.running().contains(id))
    return text + fmt::format("exited, {} instructions in flight", progress.in_flight);
  const isa::Instruction& at = progress.code[warp.simt.pc()];
  switch (progress.wait) {
    case WarpWait::barrier:
      return text + fmt::format("waits at line {} ({})", warp.waits_at->location.ptx_line,
                                control_.barriers().describe(warp.context.cta_slot));
    case WarpWait::fence:
      return text + fmt::format("waits for the fence at line {}", warp.waits_at->location.ptx_line);
    case WarpWait::spill:
      text += "its registers lie in memory or on the way, ";
      break;
    case WarpWait::none:
      break;
  }
  return text + fmt::format("at line {}, {} instructions in flight ({} to memory)", at.location.ptx_line,
                            progress.in_flight, progress.memory_in_flight);
}

WarpActivities IssueStage::activities() const {
  WarpActivities activities;
  const WarpSets& sets = readiness_.sets();
  WarpSet rest = warps_.taken();
  const auto take = [&](WarpActivity activity, WarpSet warps) {
    activities.add(activity, rest & warps);
    rest &= ~warps;
  };
  take(WarpActivity::draining, ~warps_.running());
  take(WarpActivity::issuing, issued_now_);
  if (spiller_)
    for (const WarpId warp : rest)
      if (warps_.progress(warp).wait == WarpWait::spill) take(WarpActivity::memory, WarpSet::of(warp));
  take(WarpActivity::barrier, sets.at_barrier);
  take(WarpActivity::fence, sets.at_fence);
  take(WarpActivity::fetch, ~sets.has_instruction);
  take(WarpActivity::memory, sets.long_wait);
  take(WarpActivity::dependence, sets.hazard);
  take(WarpActivity::ready, rest);
  return activities;
}

}  // namespace heddle
