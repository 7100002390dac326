#include "models/sm/instruction_issue.h"

#include <fmt/format.h>

#include <utility>

#include "models/core/error.h"

namespace heddle {

InstructionIssue::InstructionIssue(Wiring wiring)
    : w_(std::move(wiring)),
      control_({w_.warps, w_.readiness, w_.buffers, w_.accounts, w_.copies, this, w_.place, w_.clock_mhz,
                w_.max_ctas}) {}

inline InFlight& InstructionIssue::open_record(const WarpState& warp, const WarpProgress& progress,
                                               std::uint32_t pc, LaneMask mask, LaneMask active,
                                               std::uint64_t attached) {
  InFlight& item = *w_.records->take(pc);
  item.instruction = progress.code + pc;
  item.footprint = progress.footprints + pc;
  item.context = &warp.context;
  item.pc = pc;
  item.mask = mask;
  item.active = active;
  item.live = warp.simt.live();
  item.uid = next_uid_++;
  item.attached = attached;
  item.issued = w_.clock->now();
  return item;
}

void InstructionIssue::issue(WarpId id, int cluster) {
  WarpState& warp = w_.warps->state(id);
  WarpProgress& progress = w_.warps->progress(id);
  const DecodedRuns::Popped decoded = w_.buffers->pop(id);
  const std::uint32_t pc = decoded.pc;
  const InstructionFootprint& footprint = progress.footprints[pc];
  const LaneMask active = warp.simt.active();
  LaneMask mask = active;
  const bool outside = pc != warp.simt.pc();
  if (outside) {
    if (progress.wait != WarpWait::switched_out) refuse_outside(id, pc);
    mask = kAllLanes;
  } else {
    if (footprint.guarded) {
      const LaneMask predicate = warp.predicates[footprint.guard];
      mask &= footprint.guard_negated ? ~predicate : predicate;
    }
  }
  InFlight& item = open_record(warp, progress, pc, mask, active, decoded.attached);
  w_.accounts->issued(pc, mask);
  last_issue_ = w_.clock->now();
  w_.readiness->touch(id);
  issued_now_.add(id);
  progress.waits_for_long = footprint.waits_for_long;
  w_.life->issued(item);
  if (footprint.unit == isa::UnitClass::control) {
    w_.records->give_back(&item);
    ++w_.accounts->completed;
    control_.execute(w_.clock->now(), id, pc, mask);
    if (!outside) w_.buffers->consumed(id);
    return;
  }
  if (mask != 0) {
    send(item, warp, progress, footprint, cluster);
  } else {
    w_.records->give_back(&item);
    ++w_.accounts->guarded_off;
    ++w_.accounts->completed;
  }
  if (outside) return w_.residency->issued_outside(id, pc);
  control_.go_on(id, pc);
  w_.buffers->consumed(id);
}

// Throws InternalError: the instruction that has issued is not on the warp's path.
void InstructionIssue::refuse_outside(WarpId id, std::uint32_t pc) const {
  throw InternalError(
      fmt::format("{}: issued out of path", position(w_.warps->state(id), w_.warps->progress(id).code[pc])));
}

inline void InstructionIssue::begin_flight(InFlight& item, WarpProgress& progress,
                                           const InstructionFootprint& footprint) {
  item.segments = item.passes = item.transfers = 0;
  item.writes_left = footprint.write_words;
  ++progress.in_flight;
  ++progress.near_in_flight;
}

inline void InstructionIssue::bind(InFlight& item, IssuePartition& partition, std::size_t number,
                                   const InstructionFootprint& footprint, int cluster) {
  const isa::UnitClass unit = footprint.unit;
  const bool chosen = cluster >= 0 || unit == isa::UnitClass::ldst;
  if (!chosen) {
    UnitSet able = w_.units->units(number)[index_of(unit)].able(item.lanes);
    if (w_.units->prefers()) able = w_.units->preferred(w_.clock->now(), number, item, able);
    cluster = partition.choose(unit, able);
    if (cluster < 0) throw InternalError("an instruction issues with lanes that no unit accepts");
  }
  item.cluster = cluster;
  w_.units->use(w_.clock->now(), number, item);
}

inline void InstructionIssue::send(InFlight& item, WarpState& warp, WarpProgress& progress,
                                   const InstructionFootprint& footprint, int cluster) {
  IssuePartition& partition = w_.partitions[progress.partition];
  const Cycle now = w_.clock->now();
  item.plan = w_.lanes->plan(now, progress.partition, footprint, item.mask, item.plan_storage);
  item.lanes = item.plan ? item.plan->lanes() : item.mask;
  bind(item, partition, progress.partition, footprint, cluster);
  set_up_operands(item, warp, w_.place, now, w_.clock_mhz);
  w_.warps->scoreboard(item.warp()).issue(footprint);
  begin_flight(item, progress, footprint);
  if (footprint.copy)
    w_.copies->issued(item);
  else if (footprint.memory)
    ++progress.memory_in_flight;
  partition.send(item);
  if (footprint.fence) {
    progress.wait = item.instruction->op == isa::Opcode::membar ? WarpWait::fence : WarpWait::async;
    warp.waits_at = item.instruction;
  }
}

std::uint32_t InstructionIssue::register_value(WarpId warp, RegId reg, int lane) {
  return w_.partitions[w_.warps->progress(warp).partition].path().debug_read(warp, reg)[lane];
}

void InstructionIssue::send_vote(WarpId id, std::uint32_t votes) {
  const WarpState& warp = w_.warps->state(id);
  WarpProgress& progress = w_.warps->progress(id);
  if (progress.wait == WarpWait::switched_out) return w_.switched_out->owe(id, votes);
  const auto pc = static_cast<std::uint32_t>(warp.waits_at - progress.code);
  const InstructionFootprint& footprint = progress.footprints[pc];
  InFlight& item = open_record(warp, progress, pc, warp.barrier_mask, warp.barrier_mask, 0);
  item.lanes = item.mask;
  item.plan = nullptr;
  item.reads_released = true;
  item.value(footprint.writes_in_order().front())->fill(votes);
  w_.warps->scoreboard(id).issue_results(footprint);
  begin_flight(item, progress, footprint);
  w_.accounts->sent_result(footprint);
  w_.partitions[progress.partition].hold_result(item);
  holds_results_ = true;
}

void InstructionIssue::push_held_results() {
  holds_results_ = false;
  for (IssuePartition& partition : w_.partitions) {
    partition.push_held_results();
    holds_results_ |= partition.holds_results();
  }
  if (holds_results_) w_.stage->wake();
}

}  // namespace heddle
