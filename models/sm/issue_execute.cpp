// What happens to an instruction that a scheduler has picked: control instructions are executed here, all
// others get a record and go to a collector.

#include <fmt/format.h>

#include <bit>

#include "models/core/error.h"
#include "models/sm/issue_stage.h"

namespace heddle {
namespace {

std::string position(const WarpState& warp, const isa::Instruction& instruction) {
  const isa::Program& program = warp.kernel->program();
  return fmt::format("{}:{}:{}: kernel {}, CTA {}, warp {}", program.file, instruction.location.ptx_line,
                     instruction.location.ptx_column, program.kernel, warp.context.cta,
                     warp.context.warp_in_cta);
}

}  // namespace

void IssueStage::issue(WarpId id, int cluster, int scheduler) {
  WarpState& warp = warps_[id.value];
  const std::uint32_t pc = buffers_.pop(id).pc;
  const isa::Instruction& instruction = warp.kernel->program().code[pc];
  if (pc != warp.simt.pc())
    throw InternalError(fmt::format("{}: issued out of path", position(warp, instruction)));
  LaneMask mask = warp.simt.active();
  if (instruction.guard.present) {
    const LaneMask predicate = warp.predicates[instruction.guard.pred.value];
    mask &= instruction.guard.negated ? ~predicate : predicate;
  }
  ++issued_;
  ++*by_unit_issued_[static_cast<std::size_t>(instruction.unit)];
  ++*by_class_issued_[static_cast<std::size_t>(instruction.op_class)];
  thread_instructions_ += static_cast<std::uint64_t>(std::popcount(mask));
  if (instruction.overhead) ++overhead_;
  last_issue_ = now();
  dirty_ |= bit_of(id);
  issued_now_ |= bit_of(id);
  const std::uint64_t uid = next_uid_++;
  warp.strand_waits = instruction.strand_waits;
  tell_stages(warp, instruction, mask);
  publish(LifeEvent::Kind::issued, warp, pc, mask, uid, &instruction);
  if (instruction.unit == isa::UnitClass::control) {
    ++completed_;
    execute_control(warp, instruction, pc, mask);
    return;
  }
  if (mask == 0) {
    ++guarded_off_;
    ++completed_;
  } else {
    send(warp, instruction, pc, mask, cluster, scheduler);
  }
  go_on(warp, instruction, pc);
}

void IssueStage::send(WarpState& warp, const isa::Instruction& instruction, std::uint32_t pc, LaneMask mask,
                      int cluster, int scheduler) {
  const InstructionFootprint& footprint = warp.kernel->footprint(pc);
  Partition& partition = partitions_[warp.partition];
  InFlight* item = pool_.take();
  item->instruction = &instruction;
  item->context = &warp.context;
  item->pc = pc;
  item->mask = mask;
  item->scheduler = SchedulerId(static_cast<std::uint32_t>(scheduler));
  item->plan = plan_lanes(warp.partition, footprint, mask, item->plan_storage);
  item->lanes = item->plan ? item->plan->lanes() : mask;
  item->cluster =
      bind(partition, power_.of(warp.partition, instruction.unit), instruction.unit, cluster, item->lanes);
  item->uid = next_uid_ - 1;
  item->issued = now();
  item->segments = item->passes = 0;
  item->writes_left = footprint.write_words;
  set_up_operands(*item, warp, place_, now(), clock_mhz_);
  warp.scoreboard.issue(footprint, instruction);
  ++warp.in_flight;
  ++warp.near_in_flight;
  if (footprint.memory) ++warp.memory_in_flight;
  source_words_ += footprint.read_words;
  result_words_ += footprint.write_words;
  pair_words_ += footprint.pair_words;
  --partition.free_collectors;
  if (!partition.collectors->offer(item)) throw InternalError("the collectors refused an instruction");
  if (instruction.op == isa::Opcode::membar) {
    warp.wait = WarpState::Wait::fence;
    warp.waits_at = &instruction;
  }
}

void IssueStage::execute_control(WarpState& warp, const isa::Instruction& instruction, std::uint32_t pc,
                                 LaneMask mask) {
  switch (instruction.op) {
    case isa::Opcode::bra: {
      ++branches_;
      if (mask != 0 && mask != warp.simt.active()) ++divergent_;
      const std::uint32_t reconvergence = instruction.reconvergence == isa::kNoTarget
                                              ? SimtStack::kNever
                                              : static_cast<std::uint32_t>(instruction.reconvergence);
      warp.simt.branch(mask, static_cast<std::uint32_t>(instruction.target), pc + 1, reconvergence);
      if (!instruction.guard.present || warp.simt.pc() != pc + 1) redirect(warp);
      return;
    }
    case isa::Opcode::exit:
      warp.simt.exit_lanes(mask, pc + 1);
      if (!warp.simt.finished()) {
        if (!instruction.guard.present || warp.simt.pc() != pc + 1) redirect(warp);
        return;
      }
      warp.exited = true;
      buffers_.stop(warp.context.warp);
      schedulers_[warp.scheduler.value].policy->on_warp_end(warp.context.warp);
      release_from_barrier(barriers_.warp_exits(warp.context.cta_slot));
      finish_if_drained(warp);
      return;
    case isa::Opcode::bar:
      if (mask != 0) arrive_at_barrier(warp, instruction, mask);
      break;
    case isa::Opcode::trap:
      if (mask != 0) trap(warp, instruction);
      break;
    default:
      break;  // bar.warp.sync, nanosleep: nothing to wait for in lockstep
  }
  go_on(warp, instruction, pc);
}

void IssueStage::trap(const WarpState& warp, const isa::Instruction& instruction) const {
  throw Error(position(warp, instruction), "the kernel executed trap");
}

// The warp goes on behind `pc`, or where its path meets another one.
void IssueStage::go_on(WarpState& warp, const isa::Instruction&, std::uint32_t pc) {
  const std::vector<isa::Instruction>& code = warp.kernel->program().code;
  std::uint32_t next = pc + 1;
  while (next != warp.simt.reconvergence() && code[next].metadata) ++next;
  warp.simt.advance_to(next);
  if (warp.simt.pc() != next) redirect(warp);
}

void IssueStage::redirect(WarpState& warp) {
  buffers_.redirect(warp.context.warp, &warp.kernel->program(), warp.simt.pc());
}

std::uint32_t IssueStage::uniform_value(const isa::Operand& operand, const WarpState& warp, std::uint32_t pc,
                                        int slot) {
  const auto lane = static_cast<int>(std::countr_zero(warp.simt.active()));
  switch (operand.kind) {
    case isa::Operand::Kind::immediate:
    case isa::Operand::Kind::param:
      return (*warp.kernel->constant(pc, slot, 0))[lane];
    case isa::Operand::Kind::reg:
      return partitions_[warp.partition].port->debug_read(warp.context.warp, operand.reg)[lane];
    case isa::Operand::Kind::special: {
      LaneVec low, high;
      read_special(operand, warp, place_, now(), clock_mhz_, low, high);
      return low[lane];
    }
    default:
      return 0;
  }
}

void IssueStage::arrive_at_barrier(WarpState& warp, const isa::Instruction& instruction, LaneMask mask) {
  ++barriers_met_;
  const std::uint32_t pc = warp.simt.pc();
  BarrierUnit::Arrival arrival;
  arrival.context = &warp.context;
  arrival.instruction = &instruction;
  arrival.number = uniform_value(instruction.src[0], warp, pc, 0);
  arrival.threads = instruction.num_src > 1 ? uniform_value(instruction.src[1], warp, pc, 1) : 0;
  arrival.mask = mask;
  if (instruction.num_src > 2) arrival.predicate = predicate_of(instruction.src[2], warp);
  arrival.waits = instruction.barrier != isa::BarrierKind::arrive;
  if (arrival.waits) {
    warp.wait = WarpState::Wait::barrier;
    warp.waits_at = &instruction;
    warp.barrier_number = arrival.number;
    warp.barrier_mask = mask;
    publish(LifeEvent::Kind::barrier_wait, warp, pc, mask, 0, &instruction);
  }
  release_from_barrier(barriers_.arrive(arrival));
}

void IssueStage::release_from_barrier(std::uint64_t warps) {
  for (; warps; warps &= warps - 1) {
    WarpState& warp = warps_[static_cast<std::size_t>(std::countr_zero(warps))];
    write_reduction(warp);
    warp.wait = WarpState::Wait::none;
    dirty_ |= bit_of(warp.context.warp);
    clock().wake_next();
    publish(LifeEvent::Kind::barrier_release, warp, 0, warp.barrier_mask, 0, warp.waits_at);
  }
}

// bar.red: the result of the CTA's vote, written when the barrier completes. A count travels over the result
// bus into the banks like every other register value.
void IssueStage::write_reduction(WarpState& warp) {
  const isa::Instruction& instruction = *warp.waits_at;
  if (instruction.num_dst == 0) return;
  const BarrierUnit::Reduction vote = barriers_.reduction(warp.context.cta_slot, warp.barrier_number);
  const isa::Operand& destination = instruction.dst[0];
  if (destination.is_pred()) {
    const bool holds =
        instruction.barrier == isa::BarrierKind::red_and ? vote.votes == vote.lanes : vote.votes != 0;
    LaneMask& predicate = warp.predicates[destination.pred.value];
    predicate = holds ? predicate | warp.barrier_mask : predicate & ~warp.barrier_mask;
    return;
  }
  InFlight* item = pool_.take();
  item->instruction = &instruction;
  item->context = &warp.context;
  item->pc = static_cast<std::uint32_t>(&instruction - warp.kernel->program().code.data());
  item->mask = item->lanes = warp.barrier_mask;
  item->plan = nullptr;
  item->uid = next_uid_++;
  const InstructionFootprint& footprint = warp.kernel->footprint(item->pc);
  item->writes_left = footprint.write_words;
  item->reads_released = true;
  item->segments = item->passes = 0;
  item->results[0][0].fill(vote.votes);
  warp.scoreboard.issue_results(footprint);
  ++warp.in_flight;
  ++warp.near_in_flight;
  result_words_ += footprint.write_words;
  ++issued_by_barrier_;
  partitions_[warp.partition].held_results.push_back(item);
}

void IssueStage::push_held_results() {
  for (Partition& partition : partitions_) {
    std::vector<InFlight*>& held = partition.held_results;
    while (!held.empty() && partition.results->offer(held.front())) held.erase(held.begin());
    if (!held.empty()) clock().wake_next();
  }
}

void IssueStage::publish(LifeEvent::Kind kind, const WarpState& warp, std::uint32_t pc, LaneMask mask,
                         std::uint64_t uid, const isa::Instruction* instruction, const InFlight* item) {
  if (!observed_) return;
  LifeEvent event;
  event.kind = kind;
  event.cycle = now();
  event.sm = SmId(place_.sm);
  event.kernel = warp.context.launch->id;
  event.warp = warp.context.warp;
  event.cta_slot = warp.context.cta_slot;
  event.cta = warp.context.cta;
  event.scheduler = warp.scheduler;
  event.pc = pc;
  event.mask = mask;
  event.uid = uid;
  event.instruction = instruction;
  event.item = item;
  events_->write(event);
}

void IssueStage::check_conservation() const {
  std::uint64_t idle = 0, by_scheduler = 0;
  for (const Scheduler& scheduler : schedulers_) {
    by_scheduler += scheduler.issued->value();
    for (const Counter* stall : scheduler.stalls) idle += stall->value();
  }
  if (issued_.value() + issued_by_barrier_ != completed_.value() + pool_.outstanding())
    throw InternalError(fmt::format("{}: {} instructions issued, {} completed, {} in flight", name(),
                                    issued_.value(), completed_.value(), pool_.outstanding()));
  if (by_scheduler != issued_.value())
    throw InternalError(fmt::format("{}: {} instructions issued, {} by its schedulers", name(),
                                    issued_.value(), by_scheduler));
  if (idle + issued_.value() != slots_.value())
    throw InternalError(
        fmt::format("{}: {} issue slots, {} issued, {} idle", name(), slots_.value(), issued_.value(), idle));
}

std::string IssueStage::describe(WarpId id) const {
  const WarpState& warp = warps_[id.value];
  if (!warp.resident) return "empty";
  std::string text = fmt::format("CTA {} warp {}: ", warp.context.cta, warp.context.warp_in_cta);
  if (warp.exited) return text + fmt::format("exited, {} instructions in flight", warp.in_flight);
  const isa::Instruction& at = warp.kernel->program().code[warp.simt.pc()];
  switch (warp.wait) {
    case WarpState::Wait::barrier:
      return text + fmt::format("waits at line {} ({})", warp.waits_at->location.ptx_line,
                                barriers_.describe(warp.context.cta_slot));
    case WarpState::Wait::fence:
      return text + fmt::format("waits for the fence at line {}", warp.waits_at->location.ptx_line);
    case WarpState::Wait::none:
      break;
  }
  return text + fmt::format("at line {}, {} instructions in flight ({} to memory)", at.location.ptx_line,
                            warp.in_flight, warp.memory_in_flight);
}

IssueStage::WarpActivity IssueStage::activity(WarpId id) const {
  const WarpState& warp = warps_[id.value];
  const WarpSet bit = bit_of(id);
  if (!warp.resident) return WarpActivity::empty;
  if (warp.exited) return WarpActivity::draining;
  if (issued_now_ & bit) return WarpActivity::issuing;
  if (at_barrier_ & bit) return WarpActivity::barrier;
  if (at_fence_ & bit) return WarpActivity::fence;
  if (!(has_instruction_ & bit)) return WarpActivity::fetch;
  if (long_wait_ & bit) return WarpActivity::memory;
  if (hazard_ & bit) return WarpActivity::dependence;
  return WarpActivity::ready;
}

}  // namespace heddle
