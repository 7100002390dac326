#include "models/sm/issue_stage.h"

#include <fmt/format.h>

#include <bit>

#include "models/core/error.h"
#include "models/core/registry.h"

namespace heddle {

IssueStage::IssueStage(const sc_core::sc_module_name& name, const Wiring& w)
    : ClockedModule(name, *w.clock),
      parameters_(*w.parameters),
      power_(*w.power),
      place_(w.place),
      clock_mhz_(w.clock_mhz),
      events_(w.events),
      warp_ended_(w.warp_ended),
      schedulers_count_(w.parameters->schedulers()),
      partitions_count_(w.parameters->partitions),
      buffers_(*w.clock, w.parameters->max_warps, w.parameters->front_end.ibuffer_entries),
      inbox_(*w.clock),
      barriers_(w.parameters->max_ctas),
      warps_(static_cast<std::size_t>(w.parameters->max_warps)),
      views_(warps_.size()),
      partitions_(),
      issued_(w.stats.add("issued", "warp-instructions", "instructions issued, spills included")),
      completed_(w.stats.add("completed", "warp-instructions", "instructions whose results are all visible")),
      guarded_off_(w.stats.add("guarded_off", "warp-instructions", "issued with every lane guarded off")),
      thread_instructions_(
          w.stats.add("thread_instructions", "lanes", "lanes that executed, summed over instructions")),
      overhead_(w.stats.add("overhead", "warp-instructions",
                            "issued instructions that a compiler pass added (spills, fills)")),
      source_words_(w.stats.add("source_words", "accesses",
                                "source register words of instructions sent to collectors")),
      result_words_(w.stats.add("result_words", "accesses", "result register words of issued instructions")),
      pair_words_(w.stats.add("pair_words", "accesses", "of both, the words of 64-bit operands")),
      branches_(w.stats.add("branches", "warp-instructions", "branches issued")),
      divergent_(w.stats.add("divergent_branches", "warp-instructions", "branches that split a warp")),
      barriers_met_(w.stats.add("barriers", "warp-instructions", "arrivals of warps at barriers")),
      active_warp_cycles_(w.stats.add("active_warp_cycles", "warp-cycles",
                                      "warps that held an active slot of their scheduler")),
      resident_warp_cycles_(w.stats.add("resident_warp_cycles", "warp-cycles", "warps on the SM")),
      slots_(w.stats.add("issue_slots", "slots", "issue slots that passed, over all schedulers")) {
  for (int p = 0; p < partitions_count_; ++p) {
    partitions_.emplace_back(parameters_.units);
    Partition& partition = partitions_.back();
    partition.power = power_.power(static_cast<std::size_t>(p));
    partition.collectors = std::make_unique<InstructionOutlet>(fmt::format("to_collectors{}", p).c_str(), inbox_);
    partition.results = std::make_unique<InstructionOutlet>(fmt::format("to_result_bus{}", p).c_str(), inbox_);
  }
  static constexpr const char* kUnits[] = {"int", "fp", "sfu", "ldst", "control"};
  for (std::size_t u = 0; u < by_unit_issued_.size(); ++u)
    by_unit_issued_[u] =
        &w.stats.add(fmt::format("issued_{}", kUnits[u]), "warp-instructions", "issued for this unit class");
  for (std::size_t c = 0; c < by_class_issued_.size(); ++c)
    by_class_issued_[c] = &w.stats.add(fmt::format("class_{}", isa::name_of(static_cast<isa::OpClass>(c))),
                                       "warp-instructions", "issued of this operation class");
  schedulers_.resize(static_cast<std::size_t>(schedulers_count_));
  for (int s = 0; s < schedulers_count_; ++s) {
    Scheduler& scheduler = schedulers_[static_cast<std::size_t>(s)];
    for (int warp = s; warp < parameters_.max_warps; warp += schedulers_count_)
      scheduler.mine.add(WarpId(static_cast<std::uint32_t>(warp)));
    scheduler.partition = static_cast<std::size_t>(s % partitions_count_);
    SchedulerContext context{parameters_.max_warps, scheduler.mine, parameters_.issue_width};
    scheduler.policy = Registry<SchedulerPolicy>::instance().make(parameters_.scheduler, context);
    for (const ConfigNode& choice : parameters_.constraints) {
      IssueConstraint::Context constraint{parameters_.max_warps};
      scheduler.constraints.push_back(Registry<IssueConstraint>::instance().make(choice, constraint));
    }
    const StatsScope scope = w.stats.scope(fmt::format("scheduler{}", s));
    scheduler.issued = &scope.add("issued", "warp-instructions", "instructions issued by this scheduler");
    for (std::size_t r = 0; r < scheduler.stalls.size(); ++r) {
      const char* reason = name_of(static_cast<StallReason>(r));
      scheduler.stalls[r] = &scope.add(fmt::format("idle_{}", reason), "slots",
                                       fmt::format("idle issue slots, reason {}", reason));
    }
  }
}

void IssueStage::connect(int partition, RegisterPort& port) {
  Partition& p = partitions_[static_cast<std::size_t>(partition)];
  p.port = &port;
  p.free_collectors = port.collectors().count();
  p.hears_warps = port.hears_warps();
}

void IssueStage::start_warp(const WarpContext& context, const LoadedKernel& kernel) {
  if (live_warps_++ == 0) settle(now());
  WarpState& warp = warps_[context.warp.value];
  warp = {};
  warp.resident = true;
  warp.context = context;
  warp.kernel = &kernel;
  warp.scheduler = SchedulerId(static_cast<std::uint32_t>(scheduler_of(context.warp)));
  warp.partition = static_cast<std::uint32_t>(partition_of(context.warp));
  warp.simt.start(context.lanes);
  views_[context.warp.value].age = context.age;
  dirty_ |= bit_of(context.warp);
  deactivated_ &= ~bit_of(context.warp);
  bound_ &= ~bit_of(context.warp);
  schedulers_[warp.scheduler.value].policy->on_warp_start(context.warp);
  redirect(warp);
  publish(LifeEvent::Kind::warp_started, warp);
}

void IssueStage::begin_kernel(Cycle cycle) {
  accounted_to_ = cycle;
  power_.begin(cycle);
  for (Scheduler& scheduler : schedulers_) scheduler.last_reason = StallReason::no_warp;
}

// 1. the states of the power domains   2. what the back end reported   3. which warps can do what
// 4. every scheduler picks and issues   5. what the power domains have to know of that
void IssueStage::tick() {
  issued_now_ = 0;
  if (live_warps_ != 0) {
    settle(now());
    begin_power_cycle();
  }
  take_events();
  refresh_dirty();
  if (live_warps_ ==
      0) {  // idle slots without any warp are accounted when the next one starts, or at the end
    for (Scheduler& scheduler : schedulers_) scheduler.last_reason = StallReason::no_warp;
    if (power_.gates()) set_power_inputs();
    return;
  }
  schedule_in_turn();
  end_power_cycle();
  push_held_results();
  count_warp_cycles(1);
  accounted_to_ = now() + 1;
}

// Schedulers that share collectors take turns: the first one that issues goes last in the next cycle with an
// issue. A fixed order would starve the others.
void IssueStage::schedule_in_turn() {
  const int first = first_scheduler_;
  bool moved = false;
  for (int step = 0; step < schedulers_count_; ++step) {
    const int s = (first + step) % schedulers_count_;
    Scheduler& scheduler = schedulers_[static_cast<std::size_t>(s)];
    schedule(scheduler, s);
    if (moved || scheduler.last_pick < 0) continue;
    first_scheduler_ = (s + 1) % schedulers_count_;
    moved = true;
  }
}

void IssueStage::settle(Cycle cycle) {
  if (cycle <= accounted_to_) return;
  const Cycle gap = cycle - accounted_to_;
  accounted_to_ = cycle;
  const std::uint64_t slots = gap * static_cast<std::uint64_t>(parameters_.issue_width);
  for (Scheduler& scheduler : schedulers_) {
    *scheduler.stalls[static_cast<std::size_t>(scheduler.last_reason)] += slots;
    slots_ += slots;
  }
  count_warp_cycles(gap);
}

void IssueStage::count_warp_cycles(Cycle cycles) {
  WarpSet active = 0;
  for (const Scheduler& scheduler : schedulers_) active |= scheduler.active_before & scheduler.mine;
  resident_warp_cycles_ += cycles * static_cast<std::uint64_t>(resident_.count());
  active_warp_cycles_ += cycles * static_cast<std::uint64_t>((resident_ & active).count());
}

void IssueStage::take_events() {
  inbox_.drain([this](const IssueEvent& event) { take_event(event); });
}

void IssueStage::take_event(const IssueEvent& event) {
  InFlight* item = event.item;
  WarpState& warp = warps_[item->warp().value];
  const InstructionFootprint& footprint = warp.kernel->footprint(item->pc);
  if (event.note == InstructionNote::left_unit) {  // frees no warp
    power_.of(warp.partition, footprint.unit).left(now(), item->cluster, item->lanes);
    return;
  }
  // What ends can only free a warp: one that has no hazard and waits for nothing stays as it is.
  const WarpSet bit = bit_of(item->warp());
  dirty_ |= bit & (hazard_ | at_fence_);
  switch (event.note) {
    case InstructionNote::reads_held:
      warp.scoreboard.reads_done(*item->instruction);
      return;
    case InstructionNote::dispatched:
      if (!item->reads_released) {
        item->reads_released = true;
        warp.scoreboard.reads_done(*item->instruction);
      }
      ++partitions_[warp.partition].free_collectors;
      if (item->cluster >= 0) partitions_[warp.partition].clusters.dispatched(footprint.unit, item->cluster);
      if (footprint.long_latency) left_near(warp);
      publish(LifeEvent::Kind::dispatched, warp, item->pc, item->mask, item->uid, item->instruction, item);
      return;
    case InstructionNote::completed:
      if (footprint.unit == isa::UnitClass::ldst) power_.of(warp.partition, footprint.unit).left(now(), 0, item->lanes);
      complete(item);
      return;
    default:
      throw InternalError("issue hears what is the front end's");
  }
}

void IssueStage::complete(InFlight* item) {
  WarpState& warp = warps_[item->warp().value];
  const isa::Instruction& instruction = *item->instruction;
  const InstructionFootprint& footprint = warp.kernel->footprint(item->pc);
  for (std::size_t slot = 0; slot < instruction.num_dst; ++slot) {
    const isa::Operand& operand = instruction.dst[slot];
    if (operand.is_pred()) {
      LaneMask& predicate = warp.predicates[operand.pred.value];
      predicate = (predicate & ~item->mask) | (item->operands.pred_dst[slot] & item->mask);
    }
  }
  warp.scoreboard.results_done(footprint);
  --warp.in_flight;
  if (footprint.memory) --warp.memory_in_flight;
  if (!footprint.long_latency) left_near(warp);
  if (warp.wait == WarpState::Wait::fence && warp.waits_at == &instruction) warp.wait = WarpState::Wait::none;
  publish(LifeEvent::Kind::completed, warp, item->pc, item->mask, item->uid, &instruction, item);
  ++completed_;
  pool_.give_back(item);
  finish_if_drained(warp);
}

void IssueStage::left_near(WarpState& warp) {
  if (--warp.near_in_flight == 0) drained_ |= bit_of(warp.context.warp) & resident_;
}

void IssueStage::finish_if_drained(WarpState& warp) {
  if (!warp.exited || warp.in_flight != 0) return;
  warp.resident = false;
  dirty_ |= bit_of(warp.context.warp);
  --live_warps_;
  publish(LifeEvent::Kind::warp_ended, warp);
  warp_ended_(warp.context.warp);
}

void IssueStage::refresh_dirty() {
  dirty_ |= buffers_.take_arrivals() & ~has_instruction_;
  for (const WarpId warp : dirty_) refresh(warp);
  dirty_ = 0;
}

// Sorts one warp into the sets by what its head instruction could do in this cycle.
void IssueStage::refresh(WarpId id) {
  const WarpState& warp = warps_[id.value];
  const WarpSet bit = bit_of(id);
  for (WarpSet* set :
       {&resident_, &has_instruction_, &hazard_, &long_wait_, &at_barrier_, &at_fence_, &drained_})
    *set &= ~bit;
  for (WarpSet& set : by_unit_) set &= ~bit;
  if (!warp.resident || warp.exited) return;
  resident_ |= bit;
  if (warp.near_in_flight == 0) drained_ |= bit;
  if (warp.wait == WarpState::Wait::barrier) {
    at_barrier_ |= bit;
    return;
  }
  if (warp.wait == WarpState::Wait::fence) {
    at_fence_ |= bit;
    return;
  }
  if (!buffers_.can_issue(id, 0)) return;
  const std::uint32_t pc = buffers_.of(id).peek(0).pc;
  const InstructionFootprint& footprint = warp.kernel->footprint(pc);
  WarpView& view = views_[id.value];
  has_instruction_ |= bit;
  view.unit = footprint.unit;
  view.op_class = footprint.op_class;
  view.active = warp.simt.active();
  by_unit_[static_cast<std::size_t>(footprint.unit)] |= bit;
  // A barrier orders memory: a warp arrives only when its own accesses have been performed.
  const bool unordered = footprint.barrier && warp.memory_in_flight != 0;
  const bool strand = warp.strand_waits && warp.scoreboard.long_pending();
  if (unordered || strand || warp.scoreboard.hazard(footprint)) {
    hazard_ |= bit;
    if (unordered || strand || warp.scoreboard.long_hazard(footprint)) long_wait_ |= bit;
  }
}

void IssueStage::schedule(Scheduler& scheduler, int number) {
  const WarpSet mine = scheduler.mine;
  ConstraintView constraint;
  constraint.now = now();
  constraint.candidates = has_instruction_ & mine;
  for (std::size_t u = 0; u < by_unit_.size(); ++u) constraint.by_unit[u] = by_unit_[u] & mine;
  constraint.hazard = hazard_ & mine;
  constraint.free_collectors = partitions_[scheduler.partition].free_collectors;
  constraint.units = partitions_[scheduler.partition].power;
  note_lanes(constraint, scheduler);
  const Blocked blocked = blocked_by(scheduler, constraint);

  SchedulerView view;
  view.now = now();
  view.resident = resident_ & mine;
  view.has_instruction = constraint.candidates;
  view.ready = constraint.candidates & ~blocked.all;
  view.gated = blocked.gated;
  view.by_unit = constraint.by_unit;
  view.units = constraint.units;
  view.long_wait = long_wait_ & mine & ~bound_;
  view.lasting_wait = (at_barrier_ | at_fence_) & mine;
  view.drained = drained_of(scheduler);
  view.warps = views_;
  if (parameters_.issue_width > 1 && view.ready) {
    ConstraintView second = constraint;
    second.slot = 1;
    second.candidates = pairs_among(view.ready);
    second.hazard = 0;
    if (power_.gates()) second.by_unit = next_by_unit(second.candidates);
    note_lanes(second, scheduler);
    view.ready_second = second.candidates & ~blocked_by(scheduler, second).all;
  }

  PickList picks;
  if (scheduler.policy->choose(view, picks)) clock().wake_next();
  note_leaving(scheduler);
  note_active_set(scheduler, number);
  count_power_inputs(scheduler, view);
  scheduler.last_pick = -1;
  int issued = 0;
  for (const Pick& pick : picks) {
    // A collector that an earlier pick of this cycle took may leave none for a later one.
    const bool control = by_unit_[static_cast<std::size_t>(isa::UnitClass::control)].contains(pick.warp);
    if (issued > 0 && !control && partitions_[scheduler.partition].free_collectors <= 0) break;
    issue(pick.warp, pick.cluster, number);
    scheduler.last_pick = static_cast<int>(pick.warp.value);
    ++issued;
  }
  const int width = parameters_.issue_width;
  *scheduler.issued += static_cast<std::uint64_t>(issued);
  slots_ += static_cast<std::uint64_t>(width);
  if (issued < width) {
    scheduler.last_reason = reason_for(scheduler, blocked, view.ready, issued);
    *scheduler.stalls[static_cast<std::size_t>(scheduler.last_reason)] +=
        static_cast<std::uint64_t>(width - issued);
  }
  if (issued > 0) clock().wake_next();
}

// Asks the constraints in order.
IssueStage::Blocked IssueStage::blocked_by(Scheduler& scheduler, const ConstraintView& view) const {
  Blocked blocked;
  WarpSet gated = 0, others = 0;
  for (const auto& constraint : scheduler.constraints) {
    const WarpSet now_blocked = constraint->blocked(view);
    if (constraint->reason() == StallReason::gated) {
      gated |= now_blocked;
    } else {
      if (constraint->reason() != StallReason::dependence) blocked.structural |= now_blocked & ~blocked.all;
      others |= now_blocked;
    }
    blocked.all |= now_blocked;
  }
  blocked.gated = gated & ~others;
  return blocked;
}

StallReason IssueStage::reason_for(const Scheduler& scheduler, const Blocked& blocked, WarpSet ready,
                                   int issued) const {
  if (issued > 0) return StallReason::no_pair;
  const WarpSet resident = resident_ & scheduler.mine;
  if (!resident) return StallReason::no_warp;
  if (ready) return StallReason::inactive;
  if (blocked.gated & scheduler.mine) return StallReason::gated;
  if (blocked.structural & scheduler.mine) return StallReason::structural;
  if (hazard_ & ~long_wait_ & resident) return StallReason::dependence;
  if (long_wait_ & resident) return StallReason::memory;
  if (resident & ~has_instruction_ & ~at_barrier_ & ~at_fence_) return StallReason::fetch;
  return (at_barrier_ & resident) ? StallReason::barrier : StallReason::fence;
}

void IssueStage::note_active_set(Scheduler& scheduler, int number) {
  const WarpSet active = scheduler.policy->active() & scheduler.mine;
  const WarpSet changed = (active ^ scheduler.active_before) & resident_;
  scheduler.active_before = active;
  note_activated(scheduler, active);
  if (active == scheduler.mine) return;  // a one-level policy
  for (const WarpId warp : changed)
    publish(active.contains(warp) ? LifeEvent::Kind::warp_activated : LifeEvent::Kind::warp_descheduled,
            warps_[warp.value], static_cast<std::uint32_t>(number));
}

WarpSet IssueStage::pairs_among(WarpSet ready) {
  WarpSet pairs = 0;
  for (const WarpId warp : ready)
    if (can_pair(warps_[warp.value])) pairs.add(warp);
  return pairs;
}

// The next two instructions of the warp are consecutive, not control, independent, and not both for memory.
bool IssueStage::can_pair(const WarpState& warp) const {
  const WarpId id = warp.context.warp;
  if (!buffers_.can_issue(id, 1)) return false;
  const DecodedInstruction &head = buffers_.of(id).peek(0), &next = buffers_.of(id).peek(1);
  if (next.pc != head.pc + 1 || next.pc == warp.simt.reconvergence()) return false;
  const InstructionFootprint &a = warp.kernel->footprint(head.pc), &b = warp.kernel->footprint(next.pc);
  if (a.unit == isa::UnitClass::control || b.unit == isa::UnitClass::control) return false;
  const isa::Instruction& first = warp.kernel->program().code[head.pc];
  if (first.strand_waits || first.op == isa::Opcode::membar) return false;  // the warp waits behind it
  return !(a.memory && b.memory) && !depends(b, a) && !warp.scoreboard.hazard(b);
}

}  // namespace heddle
