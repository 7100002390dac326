#include "models/sm/issue_stage.h"

#include <algorithm>

namespace heddle {

namespace {

bool takes_by_lanes(const UnitAvailability& units, int partitions) {
  const auto by_lanes = [](const UnitView& unit) { return unit.lanes != nullptr; };
  for (std::size_t p = 0; p < static_cast<std::size_t>(partitions); ++p)
    if (std::any_of(units.units(p).begin(), units.units(p).end(), by_lanes)) return true;
  return false;
}

std::array<int, static_cast<std::size_t>(isa::OpClass::count_)> intervals_of(const UnitParameters& units) {
  std::array<int, static_cast<std::size_t>(isa::OpClass::count_)> intervals{};
  for (std::size_t c = 0; c < intervals.size(); ++c)
    intervals[c] = units.timing(static_cast<isa::OpClass>(c)).interval_cycles;
  return intervals;
}

std::vector<IssuePartition> make_partitions(const SmParameters& parameters) {
  std::vector<IssuePartition> partitions;
  for (int p = 0; p < parameters.partitions; ++p) partitions.emplace_back(p, parameters.units);
  return partitions;
}

}  // namespace

IssueStage::IssueStage(const sc_core::sc_module_name& name, const Wiring& w)
    : ClockedModule(name, *w.clock),
      parameters_(*w.parameters),
      stats_(w.stats),
      life_(*w.life),
      plans_(*w.plans),
      units_(*w.units),
      buffers_(*w.clock, parameters_.max_warps, parameters_.front_end.ibuffer_entries,
               w.stats.add("stale", "instructions",
                           "decoded instructions that were dropped after a redirect or the warp's end")),
      warps_(parameters_.max_warps),
      readiness_(warps_, buffers_, parameters_.register_file.orders_writes_after_reads()),
      releases_(*w.clock, warps_, parameters_.homes(), parameters_.max_warps),
      switched_out_(*w.clock, warps_, buffers_, readiness_, releases_),
      copies_(parameters_.max_warps),
      constraints_(
          parameters_.constraints,
          {parameters_.max_warps, parameters_.max_ctas, parameters_.schedulers(), parameters_.partitions,
           &switched_out_, &w.stats, w.latencies, intervals_of(parameters_.units), parameters_.issue_width}),
      residency_(constraints_.residency()),
      lanes_(parameters_.max_warps, takes_by_lanes(units_, parameters_.partitions)),
      accounts_(w.stats, parameters_.schedulers(), parameters_.issue_width,
                parameters_.units.matrix.units > 0, constraints_.reasons()),
      partitions_(make_partitions(parameters_)),
      back_end_({w.clock, &warps_, &readiness_, &life_, &records_, &accounts_, &units_, &copies_, partitions_,
                 parameters_.issue_width, w.warp_ended}),
      schedulers_({this, w.clock, &parameters_, &warps_, &readiness_, &constraints_, &lanes_, &plans_,
                   &units_, &accounts_, partitions_}),
      issue_({this, w.clock, &warps_, &readiness_, &buffers_, &life_, &records_, &accounts_, &lanes_, &units_,
              &residency_, &switched_out_, &copies_, partitions_, parameters_.max_ctas, w.place, w.clock_mhz,
              [this](WarpId warp) {
                schedulers_.warp_exits(warp);
                back_end_.finish_if_drained(warp);
              }}) {
  life_.set_reader(*this);
  buffers_.set_reader(*this);
  lanes_.set_planner(plans_.planner());
}

void IssueStage::connect(int partition, RegisterPort& port) {
  partitions_[static_cast<std::size_t>(partition)].connect(port.path(), port.operands().places());
  releases_.connect(static_cast<std::size_t>(partition), port);
  if (releases_.by_flags()) readiness_.lists_release();
  for (const auto& stage : port.path().stages()) {
    WarpHold* const hold = stage->hold();
    if (!hold) continue;
    hold->connect(switched_out_);
    constraints_.add_hold(*hold, parameters_.max_warps, parameters_.schedulers());
  }
  accounts_.add_reasons(stats_, constraints_.reasons());
}

void IssueStage::assembled(std::span<const RegisterClaims* const> by_partition, bool receives_flags) {
  constraints_.assembled(by_partition);
  constraints_.subscribe(life_);
  releases_.subscribe(life_, receives_flags);
  rests_ = schedulers_.assembled() && plans_.next_change() == kNever && !releases_.any() &&
           !constraints_.may_hold();
  if (rests_) rest();
  if (!units_.varies()) life_.set_listener_of_left(units_);
}

void IssueStage::begin_kernel(Cycle cycle, const LoadedKernel& kernel) {
  be_due(cycle);
  accounts_.begin(cycle, kernel.footprints());
  records_.begin(kernel.footprints());
  readiness_.begin(kernel.footprints());
  units_.begin_kernel(cycle);
  if (units_.varies()) schedulers_.set_units();
  schedulers_.begin_kernel(cycle);
}

void IssueStage::start_warp(const WarpContext& context, const LoadedKernel& kernel) {
  if (warps_.taken().empty()) schedulers_.settle_slots(now());
  be_due(0);
  const WarpId id = context.warp;
  const SchedulerId scheduler(parameters_.homes().scheduler(id));
  warps_.start(context, kernel, scheduler, static_cast<std::uint32_t>(partition_of(id)));
  copies_.started(id);
  readiness_.started(id, context.age, context.cta_slot);
  schedulers_.warp_starts(id);
  issue_.control().redirect(id);
  const isa::Program& program = kernel.program();
  life_.warp_begins({id, kernel.launch().id, &program, program.registers, context.lanes, context.cta_slot});
}

// First updates the available units, processes the back end's reports and updates the readiness of warps.
// Then every scheduler picks and issues. Finally the stage reports the demand for units.
void IssueStage::tick() {
  issue_.begin_cycle();
  const bool worked = !warps_.taken().empty();
  if (worked && units_.next_change() <= now() && units_.advance(now())) schedulers_.set_units();
  back_end_.take_in();
  if (releases_.has_sent())
    for (const WarpId warp : releases_.take_sent()) {
      readiness_.freed(warp);
      releases_.freed(warp);
    }
  readiness_.refresh();
  if (constraints_.next_hold() <= now()) step_holds();
  if (plans_.next_change() <= now()) schedulers_.show_lane_plans();
  if (rests_) due_at(buffers_.next_arrival(~readiness_.sets().has_instruction));
  if (schedulers_.idle() && !back_end_.collectors_came() &&
      !(readiness_.changed() | readiness_.just_drained()) && !issue_.holds_results()) {
    if (readiness_.any_waits_for_reads()) life_.let_dispatches_wait(false);
    return;
  }
  if (worked) schedulers_.settle_slots(now());
  if (warps_.taken().empty()) {
    schedulers_.no_warp();
    if (units_.varies()) units_.set_demand(now());
    accounts_.set_warps(now(), readiness_.sets().resident, schedulers_.active_warps());
    return;
  }
  back_end_.forget_collectors();
  schedulers_.take(issue_, rests_);
  if (rests_)
    life_.let_dispatches_wait(schedulers_.idle() && !readiness_.any_waits_for_reads() &&
                              schedulers_.collectors_suffice());
  if (units_.varies()) units_.set_demand(now());
  if (units_.next_change() != kNever) clock().due_at(units_.next_change(), Clock::NoWork());
  if (plans_.next_change() != kNever) clock().due_at(plans_.next_change(), Clock::NoWork());
  if (constraints_.needs().time) due_at(constraints_.next_change(now()));
  if (issue_.holds_results()) issue_.push_held_results();
  accounts_.end_cycle(now(), readiness_.sets().resident, schedulers_.active_warps());
}

void IssueStage::step_holds() {
  constraints_.step_holds(now(), bound(), schedulers_.active_warps());
  while (const auto owed = switched_out_.next_owed()) issue_.send_vote(owed->first, owed->second);
  if (const Cycle next = constraints_.next_hold(); next != kNever && next > now()) due_at(next);
}

WarpSet IssueStage::bound() const {
  WarpSet bound;
  for (const IssuePartition& partition : partitions_) bound |= partition.slots().bound();
  return bound;
}

void IssueStage::settle(Cycle cycle) {
  schedulers_.settle_slots(cycle);
  accounts_.sum_up();
  residency_.settle(cycle);
}

void IssueStage::check_conservation() const {
  accounts_.check_conservation(name(), records_.outstanding());
  residency_.check_conservation(name());
  releases_.check_conservation(name());
}

WarpActivities IssueStage::activities() const {
  WarpActivities activities;
  const WarpSets& sets = readiness_.sets();
  WarpSet rest = warps_.taken();
  const auto take = [&](WarpActivity activity, WarpSet some) {
    activities.add(activity, rest & some);
    rest &= ~some;
  };
  take(WarpActivity::draining, ~warps_.running());
  take(WarpActivity::issuing, issued_now());
  take(WarpActivity::memory, switched_out_.warps());
  take(WarpActivity::barrier, sets.at_barrier);
  take(WarpActivity::fence, sets.at_fence);
  take(WarpActivity::async, sets.at_async);
  take(WarpActivity::fetch, ~sets.has_instruction);
  take(WarpActivity::memory, sets.long_wait);
  take(WarpActivity::dependence, sets.hazard);
  take(WarpActivity::ready, rest);
  return activities;
}

}  // namespace heddle
