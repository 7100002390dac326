// An instruction on its way: records for what a scheduler has picked, and what the back end reports of them.

#include <fmt/format.h>

#include "models/core/error.h"
#include "models/sm/issue_stage.h"

namespace heddle {

inline InFlight& IssueStage::open_record(const WarpState& warp, const WarpProgress& progress,
                                         std::uint32_t pc, LaneMask mask, LaneMask active,
                                         std::uint64_t attached) {
  InFlight& item = *pool_.take();
  item.instruction = progress.code + pc;
  item.footprint = progress.footprints + pc;
  item.context = &warp.context;
  item.pc = pc;
  item.mask = mask;
  item.active = active;
  item.live = warp.simt.live();
  item.uid = next_uid_++;
  item.attached = attached;
  item.issued = now();
  return item;
}

// 1. its record   2. who hears of it   3. it executes here, or goes to a collector   4. the warp goes on
void IssueStage::issue(WarpId id, int cluster) {
  WarpState& warp = warps_.state(id);
  WarpProgress& progress = warps_.progress(id);
  const DecodedInstruction decoded = buffers_.pop(id);
  const std::uint32_t pc = decoded.pc;
  const InstructionFootprint& footprint = progress.footprints[pc];
  const LaneMask active = warp.simt.active();
  LaneMask mask = active;
  const bool beside = pc != warp.simt.pc();
  if (beside) [[unlikely]] {
    check_beside(id, pc);
    mask = kAllLanes;
  } else {
    buffers_.consumed(id);
    if (footprint.guarded) {
      const LaneMask predicate = warp.predicates[footprint.guard];
      mask &= footprint.guard_negated ? ~predicate : predicate;
    }
  }
  InFlight& item = open_record(warp, progress, pc, mask, active, decoded.attached);
  accounts_.issued(pc, mask);
  last_issue_ = now();
  readiness_.touch(id);
  issued_now_.add(id);
  progress.strand_waits = footprint.strand_waits;
  life_.issued(item);
  if (footprint.unit == isa::UnitClass::control) {
    pool_.give_back(&item);
    ++accounts_.completed;
    control_.execute(now(), id, pc, mask);
    return;
  }
  if (mask == 0) {
    pool_.give_back(&item);
    ++accounts_.guarded_off;
    ++accounts_.completed;
  } else {
    send(item, warp, progress, footprint, cluster);
  }
  if (beside) [[unlikely]]
    return spiller_->issued(id, pc);
  control_.go_on(id, pc);
}

// What is not on the warp's path moves its registers (register_spiller.h), in all lanes.
void IssueStage::check_beside(WarpId id, std::uint32_t pc) const {
  if (warps_.progress(id).wait != WarpWait::spill)
    throw InternalError(
        fmt::format("{}: issued out of path", position(warps_.state(id), warps_.progress(id).code[pc])));
}

// It goes to a collector or the result bus.
inline void IssueStage::begin_flight(InFlight& item, WarpProgress& progress,
                                     const InstructionFootprint& footprint) {
  item.segments = item.passes = 0;
  item.writes_left = footprint.write_words;
  ++progress.in_flight;
  ++progress.near_in_flight;
}

void IssueStage::send(InFlight& item, WarpState& warp, WarpProgress& progress,
                      const InstructionFootprint& footprint, int cluster) {
  Partition& partition = partitions_[progress.partition];
  item.plan = lanes_.plan(now(), progress.partition, footprint, item.mask, item.plan_storage);
  item.lanes = item.plan ? item.plan->lanes() : item.mask;
  item.cluster = power_.bind(now(), progress.partition, footprint.unit, footprint.op_class, cluster,
                             item.lanes, item.plan ? item.plan->passes : 1);
  set_up_operands(item, warp, place_, now(), clock_mhz_);
  warps_.scoreboard(item.warp()).issue(footprint);
  begin_flight(item, progress, footprint);
  if (footprint.memory) ++progress.memory_in_flight;
  partition.free_collectors.take(footprint.unit);
  if (!partition.collectors->offer(&item)) throw InternalError("the collectors refused an instruction");
  if (footprint.fence) {
    progress.wait = WarpWait::fence;
    warp.waits_at = item.instruction;
  }
}

void IssueStage::take_event(const LifeChannel::Told& told) {
  InFlight* item = told.item;
  const WarpId id = item->warp();
  WarpProgress& warp = warps_.progress(id);
  const InstructionFootprint& footprint = *item->footprint;
  switch (told.what) {
    case Life::left:  // frees no warp
      power_.left(now(), warp.partition, footprint.unit, item->cluster, item->lanes);
      break;
    case Life::reads_held:
      reads_over(id, footprint);
      break;
    case Life::dispatched: {
      isa::FreeCollectors& free = partitions_[warp.partition].free_collectors;
      if (!item->reads_released) {
        item->reads_released = true;
        reads_over(id, footprint);
        life_.taken_in({Life::reads_held, item});
      }
      if (free.of(footprint.unit) < parameters_.issue_width) rests_.collectors_came = true;
      free.give_back(footprint.unit);
      power_.dispatched(now(), warp.partition, footprint.unit, item->cluster, item->lanes);
      if (footprint.long_latency) left_near(id);
      break;
    }
    case Life::completed:
      return complete(told, warp, footprint);
    default:
      throw InternalError("the back end tells of what is not its own");
  }
  life_.taken_in(told);
}

void IssueStage::take_events() {
  life_.drain([this](const LifeChannel::Told& told) { take_event(told); });
}

void IssueStage::complete(const LifeChannel::Told& told, WarpProgress& progress,
                          const InstructionFootprint& footprint) {
  InFlight* item = told.item;
  const WarpId id = item->warp();
  readiness_.completed(id);
  if (footprint.memory) power_.left(now(), progress.partition, footprint.unit, 0, item->lanes);
  if (footprint.predicate_results) write_predicates(*item);
  warps_.scoreboard(id).results_done(footprint);
  --progress.in_flight;
  if (footprint.memory) --progress.memory_in_flight;
  if (!footprint.long_latency) left_near(id);
  if (progress.wait == WarpWait::fence && warps_.state(id).waits_at == item->instruction)
    progress.wait = WarpWait::none;
  life_.taken_in(told);
  ++accounts_.completed;
  pool_.give_back(item);
  finish_if_drained(id);
}

void IssueStage::write_predicates(const InFlight& item) {
  WarpState& warp = warps_.state(item.warp());
  for (std::size_t slot = 0; slot < item.instruction->num_dst; ++slot) {
    const isa::Operand& operand = item.instruction->dst[slot];
    if (!operand.is_pred()) continue;
    LaneMask& predicate = warp.predicates[operand.pred.value];
    predicate = (predicate & ~item.mask) | (item.operands.pred_dst[slot] & item.mask);
  }
}

void IssueStage::finish_if_drained(WarpId id) {
  if (warps_.running().contains(id) || warps_.progress(id).in_flight != 0) return;
  warps_.end(id);
  readiness_.touch(id);
  if (warps_.taken().empty() && folding_.in_force()) folding_.warps_end(now());
  life_.warp_ends(id);
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
  const auto pc = static_cast<std::uint32_t>(warp.waits_at - progress.code);
  const InstructionFootprint& footprint = progress.footprints[pc];
  InFlight& item = open_record(warp, progress, pc, warp.barrier_mask, warp.barrier_mask, 0);
  item.lanes = item.mask;
  item.plan = nullptr;
  item.reads_released = true;
  item.results[0][0].fill(votes);
  warps_.scoreboard(id).issue_results(footprint);
  begin_flight(item, progress, footprint);
  accounts_.sent_result(footprint);
  partitions_[progress.partition].held_results.push_back(&item);
  ++held_results_;
}

void IssueStage::push_held_results() {
  for (Partition& partition : partitions_) {
    std::vector<InFlight*>& held = partition.held_results;
    while (!held.empty() && partition.results->offer(held.front())) {
      held.erase(held.begin());
      --held_results_;
    }
    if (!held.empty()) wake();
  }
}

}  // namespace heddle
