// An instruction on its way: records for what a scheduler has picked, and what the back end reports of them.

#include <fmt/format.h>

#include "models/core/error.h"
#include "models/sm/issue_stage.h"

namespace heddle {

void IssueStage::issue(WarpId id, int cluster) {
  WarpState& warp = warps_.state(id);
  WarpProgress& progress = warps_.progress(id);
  const DecodedInstruction decoded = buffers_.pop(id);
  const std::uint32_t pc = decoded.pc;
  if (pc != warp.simt.pc()) [[unlikely]]
    return issue_beside(id, decoded, cluster);
  buffers_.consumed(id);
  const isa::Instruction& instruction = progress.code[pc];
  const InstructionFootprint& footprint = progress.footprints[pc];
  LaneMask mask = warp.simt.active();
  if (footprint.guarded) {
    const LaneMask predicate = warp.predicates[footprint.guard];
    mask &= footprint.guard_negated ? ~predicate : predicate;
  }
  accounts_.issued(footprint, mask);
  last_issue_ = now();
  readiness_.touch(id);
  issued_now_.add(id);
  const std::uint64_t uid = next_uid_++;
  progress.strand_waits = footprint.strand_waits;
  if (stages_.listens())
    stages_.issued(progress.partition,
                   {id, &instruction, pc, mask, warp.simt.live(), accounts_.instructions.value()});
  if (constraints_.hears_issues()) constraints_.issued(id, instruction, mask);
  if (releases_.listens() && decoded.attached != 0) {
    const bool collects = mask != 0 && footprint.unit != isa::UnitClass::control;
    if (RegisterReleases::concerned(decoded.attached, collects))
      releases_.issued(now(), id, pc, decoded.attached, collects);
  }
  events_.instruction(LifeEvent::Kind::issued, now(), warp, progress.scheduler, pc, mask, uid, instruction);
  if (footprint.unit == isa::UnitClass::control) {
    ++accounts_.completed;
    control_.execute(now(), id, pc, mask);
    return;
  }
  if (mask == 0) {
    ++accounts_.guarded_off;
    ++accounts_.completed;
  } else {
    send(id, decoded, mask, cluster);
  }
  control_.go_on(id, pc);
}

// What is none of the warp's path: it moves its registers (register_spiller.h), in all lanes.
void IssueStage::issue_beside(WarpId id, const DecodedInstruction& decoded, int cluster) {
  const WarpState& warp = warps_.state(id);
  const WarpProgress& progress = warps_.progress(id);
  const isa::Instruction& instruction = progress.code[decoded.pc];
  if (progress.wait != WarpWait::spill)
    throw InternalError(fmt::format("{}: issued out of path", position(warp, instruction)));
  accounts_.issued(progress.footprints[decoded.pc], kAllLanes);
  last_issue_ = now();
  readiness_.touch(id);
  issued_now_.add(id);
  ++next_uid_;
  if (stages_.listens())
    stages_.issued(progress.partition, {id, &instruction, decoded.pc, kAllLanes, warp.simt.live(),
                                        accounts_.instructions.value()});
  if (constraints_.hears_issues()) constraints_.issued(id, instruction, kAllLanes);
  send(id, decoded, kAllLanes, cluster);
  spiller_->issued(id, decoded.pc);
}

void IssueStage::send(WarpId id, const DecodedInstruction& decoded, LaneMask mask, int cluster) {
  const std::uint32_t pc = decoded.pc;
  WarpState& warp = warps_.state(id);
  WarpProgress& progress = warps_.progress(id);
  const isa::Instruction& instruction = progress.code[pc];
  const InstructionFootprint& footprint = progress.footprints[pc];
  Partition& partition = partitions_[progress.partition];
  InFlight* item = pool_.take();
  item->instruction = &instruction;
  item->context = &warp.context;
  item->pc = pc;
  item->mask = mask;
  item->active = warp.simt.active();
  item->live = warp.simt.live();
  item->plan = lanes_.plan(now(), progress.partition, footprint, mask, item->plan_storage);
  item->lanes = item->plan ? item->plan->lanes() : mask;
  item->cluster = power_.bind(now(), progress.partition, footprint.unit, footprint.op_class, cluster,
                              item->lanes, item->plan ? item->plan->passes : 1);
  item->uid = next_uid_ - 1;
  item->attached = decoded.attached;
  item->issued = now();
  item->segments = item->passes = 0;
  item->writes_left = footprint.write_words;
  set_up_operands(*item, warp, place_, now(), clock_mhz_);
  warps_.scoreboard(id).issue(footprint);
  ++progress.in_flight;
  ++progress.near_in_flight;
  if (footprint.memory) ++progress.memory_in_flight;
  accounts_.sent(footprint);
  partition.free_collectors.take(footprint.unit);
  if (!partition.collectors->offer(item)) throw InternalError("the collectors refused an instruction");
  if (footprint.fence) {
    progress.wait = WarpWait::fence;
    warp.waits_at = &instruction;
  }
}

void IssueStage::take_events() {
  inbox_.drain([this](const IssueEvent& event) { take_event(event); });
}

void IssueStage::take_event(const IssueEvent& event) {
  InFlight* item = event.item;
  const WarpId id = item->warp();
  WarpProgress& warp = warps_.progress(id);
  const InstructionFootprint& footprint = warp.footprints[item->pc];
  if (event.note == InstructionNote::left_unit) {  // frees no warp
    power_.left(now(), warp.partition, footprint.unit, item->cluster, item->lanes);
    return;
  }
  switch (event.note) {
    case InstructionNote::reads_held:
      reads_over(id, footprint);
      return;
    case InstructionNote::dispatched:
      if (!item->reads_released) {
        item->reads_released = true;
        reads_over(id, footprint);
      }
      partitions_[warp.partition].free_collectors.give_back(footprint.unit);
      power_.dispatched(now(), warp.partition, footprint.unit, item->cluster, item->lanes);
      if (footprint.long_latency) left_near(id);
      events_.instruction(LifeEvent::Kind::dispatched, now(), warps_.state(id), warp.scheduler, item->pc,
                          item->mask, item->uid, *item->instruction, item);
      return;
    case InstructionNote::completed:
      readiness_.completed(id);
      if (footprint.memory) power_.left(now(), warp.partition, footprint.unit, 0, item->lanes);
      complete(item);
      return;
    default:
      throw InternalError("issue hears what is the front end's");
  }
}

void IssueStage::complete(InFlight* item) {
  const WarpId id = item->warp();
  WarpState& warp = warps_.state(id);
  WarpProgress& progress = warps_.progress(id);
  const isa::Instruction& instruction = *item->instruction;
  const InstructionFootprint& footprint = progress.footprints[item->pc];
  if (footprint.predicate_results)
    for (std::size_t slot = 0; slot < instruction.num_dst; ++slot) {
      const isa::Operand& operand = instruction.dst[slot];
      if (!operand.is_pred()) continue;
      LaneMask& predicate = warp.predicates[operand.pred.value];
      predicate = (predicate & ~item->mask) | (item->operands.pred_dst[slot] & item->mask);
    }
  warps_.scoreboard(id).results_done(footprint);
  releases_.freed(now(), id);
  --progress.in_flight;
  if (footprint.memory) --progress.memory_in_flight;
  if (!footprint.long_latency) left_near(id);
  if (progress.wait == WarpWait::fence && warp.waits_at == &instruction) progress.wait = WarpWait::none;
  events_.instruction(LifeEvent::Kind::completed, now(), warp, progress.scheduler, item->pc, item->mask,
                      item->uid, instruction, item);
  ++accounts_.completed;
  pool_.give_back(item);
  finish_if_drained(id);
}

void IssueStage::finish_if_drained(WarpId id) {
  const WarpProgress& progress = warps_.progress(id);
  if (warps_.running().contains(id) || progress.in_flight != 0) return;
  warps_.end(id);
  readiness_.touch(id);
  if (warps_.taken().empty() && folding_.in_force()) folding_.warps_end(now());
  if (releases_.listens()) releases_.ended(now(), id);
  constraints_.warp_ended(id);
  events_.warp(LifeEvent::Kind::warp_ended, now(), warps_.state(id), progress.scheduler);
  warp_ended_(id);
}

std::uint32_t IssueStage::register_value(WarpId warp, RegId reg, int lane) {
  return partitions_[warps_.progress(warp).partition].path->debug_read(warp, reg)[lane];
}

void IssueStage::exited(WarpId warp) {
  schedulers_[warps_.progress(warp).scheduler.value].policy().on_warp_end(warp);
  finish_if_drained(warp);
}

// A count travels over the result bus into the banks like every other register value.
void IssueStage::send_vote(WarpId id, std::uint32_t votes) {
  const WarpState& warp = warps_.state(id);
  WarpProgress& progress = warps_.progress(id);
  if (progress.wait == WarpWait::spill) return spiller_->owe(id, votes);
  InFlight* item = pool_.take();
  item->instruction = warp.waits_at;
  item->context = &warp.context;
  item->pc = static_cast<std::uint32_t>(warp.waits_at - progress.code);
  item->mask = item->lanes = item->active = warp.barrier_mask;
  item->live = warp.simt.live();
  item->plan = nullptr;
  item->uid = next_uid_++;
  item->attached = 0;
  const InstructionFootprint& footprint = progress.footprints[item->pc];
  item->writes_left = footprint.write_words;
  item->reads_released = true;
  item->segments = item->passes = 0;
  item->results[0][0].fill(votes);
  warps_.scoreboard(id).issue_results(footprint);
  ++progress.in_flight;
  ++progress.near_in_flight;
  accounts_.sent_result(footprint);
  partitions_[progress.partition].held_results.push_back(item);
  ++held_results_;
}

void IssueStage::push_held_results() {
  for (Partition& partition : partitions_) {
    std::vector<InFlight*>& held = partition.held_results;
    while (!held.empty() && partition.results->offer(held.front())) {
      held.erase(held.begin());
      --held_results_;
    }
    if (!held.empty()) clock().wake();
  }
}

}  // namespace heddle
