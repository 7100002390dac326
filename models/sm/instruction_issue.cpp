#include "models/sm/instruction_issue.h"

#include <fmt/format.h>

#include "models/core/error.h"

namespace heddle {

InstructionIssue::InstructionIssue(const Wiring& w)
    : s_(*w.state),
      place_(w.place),
      clock_mhz_(w.clock_mhz),
      exited_(w.exited),
      control_({&s_.warps, &s_.readiness, &s_.buffers, &s_.accounts, this, w.place, w.clock_mhz,
                s_.parameters.max_ctas}) {}

inline InFlight& InstructionIssue::open_record(const WarpState& warp, const WarpProgress& progress,
                                               std::uint32_t pc, LaneMask mask, LaneMask active,
                                               std::uint64_t attached) {
  InFlight& item = *s_.records.take(pc);
  item.instruction = progress.code + pc;
  item.footprint = progress.footprints + pc;
  item.context = &warp.context;
  item.pc = pc;
  item.mask = mask;
  item.active = active;
  item.live = warp.simt.live();
  item.uid = next_uid_++;
  item.attached = attached;
  item.issued = s_.now();
  return item;
}

// Steps:
//  1. Create the instruction's record.
//  2. Notify subscribers.
//  3. Execute the instruction, or send it to a collector.
//  4. Advance the warp.
void InstructionIssue::issue(WarpId id, int cluster) {
  WarpState& warp = s_.warps.state(id);
  WarpProgress& progress = s_.warps.progress(id);
  const DecodedRuns::Popped decoded = s_.buffers.pop(id);
  const std::uint32_t pc = decoded.pc;
  const InstructionFootprint& footprint = progress.footprints[pc];
  const LaneMask active = warp.simt.active();
  LaneMask mask = active;
  const bool beside = pc != warp.simt.pc();
  if (beside) {
    if (progress.wait != WarpWait::away) refuse_beside(id, pc);
    mask = kAllLanes;
  } else {
    if (footprint.guarded) {
      const LaneMask predicate = warp.predicates[footprint.guard];
      mask &= footprint.guard_negated ? ~predicate : predicate;
    }
  }
  InFlight& item = open_record(warp, progress, pc, mask, active, decoded.attached);
  s_.accounts.issued(pc, mask);
  last_issue_ = s_.now();
  s_.readiness.touch(id);
  issued_now_.add(id);
  progress.waits_for_long = footprint.waits_for_long;
  s_.life.issued(item);
  if (footprint.unit == isa::UnitClass::control) {
    s_.records.give_back(&item);
    ++s_.accounts.completed;
    control_.execute(s_.now(), id, pc, mask);
    if (!beside) s_.buffers.consumed(id);
    return;
  }
  if (mask != 0) {
    send(item, warp, progress, footprint, cluster);
  } else {
    s_.records.give_back(&item);
    ++s_.accounts.guarded_off;
    ++s_.accounts.completed;
  }
  if (beside) return s_.residency.issued_beside(id, pc);
  control_.go_on(id, pc);
  s_.buffers.consumed(id);
}

// An instruction outside the warp's path may issue only while the warp is away (models/ports/residency.h).
void InstructionIssue::refuse_beside(WarpId id, std::uint32_t pc) const {
  throw InternalError(
      fmt::format("{}: issued out of path", position(s_.warps.state(id), s_.warps.progress(id).code[pc])));
}

// Initialises the record of an instruction that goes to a collector or to the result bus.
inline void InstructionIssue::begin_flight(InFlight& item, WarpProgress& progress,
                                           const InstructionFootprint& footprint) {
  item.segments = item.passes = 0;
  item.writes_left = footprint.write_words;
  ++progress.in_flight;
  ++progress.near_in_flight;
}

inline void InstructionIssue::bind(InFlight& item, IssuePartition& partition, std::size_t number,
                                   const InstructionFootprint& footprint, int cluster) {
  const isa::UnitClass unit = footprint.unit;
  const bool chosen = cluster >= 0 || unit == isa::UnitClass::ldst;
  if (!chosen) {
    UnitSet able = s_.units.units(number)[index_of(unit)].able(item.lanes);
    if (s_.units.prefers()) able = s_.units.preferred(s_.now(), number, item, able);
    cluster = partition.clusters.choose(unit, able);
    if (cluster < 0) throw InternalError("an instruction issues with lanes that no unit accepts");
  }
  item.cluster = cluster;
  s_.units.use(s_.now(), number, item);
  if (unit != isa::UnitClass::ldst) partition.clusters.issued(unit, cluster);
}

inline void InstructionIssue::send(InFlight& item, WarpState& warp, WarpProgress& progress,
                                   const InstructionFootprint& footprint, int cluster) {
  IssuePartition& partition = s_.partitions[progress.partition];
  const Cycle now = s_.now();
  item.plan = s_.lanes.plan(now, progress.partition, footprint, item.mask, item.plan_storage);
  item.lanes = item.plan ? item.plan->lanes() : item.mask;
  bind(item, partition, progress.partition, footprint, cluster);
  set_up_operands(item, warp, place_, now, clock_mhz_);
  s_.warps.scoreboard(item.warp()).issue(footprint);
  begin_flight(item, progress, footprint);
  if (footprint.memory) ++progress.memory_in_flight;
  partition.free_collectors.take(footprint.unit);
  if (!partition.collectors->offer(&item)) throw InternalError("the collectors refused an instruction");
  if (footprint.fence) {
    progress.wait = WarpWait::fence;
    warp.waits_at = item.instruction;
  }
}

std::uint32_t InstructionIssue::register_value(WarpId warp, RegId reg, int lane) {
  return s_.partition_of(warp).path->debug_read(warp, reg)[lane];
}

// The count of votes travels over the result bus into the banks like every other register value.
void InstructionIssue::send_vote(WarpId id, std::uint32_t votes) {
  const WarpState& warp = s_.warps.state(id);
  WarpProgress& progress = s_.warps.progress(id);
  if (progress.wait == WarpWait::away) return s_.away.owe(id, votes);
  const auto pc = static_cast<std::uint32_t>(warp.waits_at - progress.code);
  const InstructionFootprint& footprint = progress.footprints[pc];
  InFlight& item = open_record(warp, progress, pc, warp.barrier_mask, warp.barrier_mask, 0);
  item.lanes = item.mask;
  item.plan = nullptr;
  item.reads_released = true;
  item.value(footprint.writes_in_order().front())->fill(votes);
  s_.warps.scoreboard(id).issue_results(footprint);
  begin_flight(item, progress, footprint);
  s_.accounts.sent_result(footprint);
  s_.partitions[progress.partition].held_results.push_back(&item);
  ++held_results_;
}

void InstructionIssue::push_held_results() {
  for (IssuePartition& partition : s_.partitions) {
    std::vector<InFlight*>& held = partition.held_results;
    while (!held.empty() && partition.results->offer(held.front())) {
      held.erase(held.begin());
      --held_results_;
    }
    if (!held.empty()) s_.stage.wake();
  }
}

}  // namespace heddle
