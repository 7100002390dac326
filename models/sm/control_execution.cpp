#include "models/sm/control_execution.h"

#include <bit>

#include "models/core/error.h"

namespace heddle {

void ControlExecution::execute(Cycle now, WarpId warp, std::uint32_t pc, LaneMask mask) {
  const isa::Instruction& instruction = w_.warps->progress(warp).code[pc];
  switch (instruction.op) {
    case isa::Opcode::bra:
      branch(warp, pc, mask);
      return;
    case isa::Opcode::exit:
      exit(now, warp, pc, mask);
      return;
    case isa::Opcode::bar:
      if (mask != 0) arrive_at_barrier(now, warp, pc, mask);
      break;
    case isa::Opcode::commit:
      w_.copies->commit(warp, mask);
      break;
    case isa::Opcode::wait_group:
      wait_for_copies(warp, pc, mask);
      break;
    case isa::Opcode::trap:
      if (mask != 0) trapped(warp, instruction, mask);
      break;
    default:
      break;  // no effect for bar.warp.sync and nanosleep, because the lanes of a warp run in lockstep
  }
  go_on(warp, pc);
}

void ControlExecution::trapped(WarpId warp, const isa::Instruction& instruction, LaneMask mask) const {
  const WarpState& state = w_.warps->state(warp);
  const isa::Dim3& cta = state.context.cta_id;
  const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
  throw Error(position(state, instruction),
              fmt::format("CTA ({},{},{}), thread ({},{},{}): {}", cta.x, cta.y, cta.z,
                          state.context.tid[0][lane], state.context.tid[1][lane], state.context.tid[2][lane],
                          state.kernel->program().trap_text(instruction)));
}

void ControlExecution::branch(WarpId id, std::uint32_t pc, LaneMask mask) {
  WarpState& warp = w_.warps->state(id);
  const isa::Instruction& instruction = w_.warps->progress(id).code[pc];
  ++w_.accounts->branches;
  if (mask != 0 && mask != warp.simt.active()) ++w_.accounts->divergent_branches;
  const SimtStack::Place next = warp.kernel->place(pc + 1);
  const SimtStack::Place meeting =
      instruction.reconvergence == isa::kNoTarget
          ? SimtStack::Place(SimtStack::kNever)
          : warp.kernel->place(static_cast<std::uint32_t>(instruction.reconvergence));
  warp.simt.branch(mask, warp.kernel->place(static_cast<std::uint32_t>(instruction.target)), next, meeting);
  if (!warp.kernel->waits().empty()) {
    if (warp.kernel->waits()[pc] && mask != 0) spin(warp, mask);
    if (warp.simt.apart()) warp.simt.meet(warp.kernel->meets());
  }
  if (!instruction.guard.present || warp.simt.pc() != next.pc) redirect(id);
}

void ControlExecution::spin(WarpState& warp, LaneMask mask) {
  warp.spins = mask == warp.spinning ? warp.spins + 1 : 1;
  warp.spinning = mask;
  ++warp.all_spins;
  if (!warp.simt.has_other_lanes()) warp.spins = warp.all_spins = 0;
  if ((warp.spins < isa::kSpins || warp.simt.active() != mask) && warp.all_spins < isa::kMostSpins) return;
  warp.spins = warp.all_spins = 0;
  warp.simt.give_way(warp.kernel->meets());
}

void ControlExecution::exit(Cycle now, WarpId id, std::uint32_t pc, LaneMask mask) {
  WarpState& warp = w_.warps->state(id);
  const WarpProgress& progress = w_.warps->progress(id);
  const SimtStack::Place next = warp.kernel->place(pc + 1);
  warp.simt.exit_lanes(mask, next);
  if (!warp.simt.finished()) {
    if (warp.simt.apart()) warp.simt.meet(warp.kernel->meets());
    if (!progress.footprints[pc].guarded || warp.simt.pc() != next.pc) redirect(id);
    return;
  }
  w_.warps->exit(id);
  w_.buffers->stop(id);
  release_from_barrier(now, barriers_.warp_exits(warp.context.cta_slot));
  w_.effects->exited(id);
}

void ControlExecution::redirect(WarpId id) {
  const WarpState& warp = w_.warps->state(id);
  w_.buffers->redirect(id, &warp.kernel->program(), warp.simt.fetch_from());
}

std::uint32_t ControlExecution::uniform_value(Cycle now, WarpId id, std::uint32_t pc, int slot) {
  const WarpState& warp = w_.warps->state(id);
  const isa::Instruction& instruction = w_.warps->progress(id).code[pc];
  const isa::Operand& operand = instruction.src[static_cast<std::size_t>(slot)];
  const auto lane = static_cast<int>(std::countr_zero(warp.simt.active()));
  switch (operand.kind) {
    case isa::Operand::Kind::immediate:
    case isa::Operand::Kind::param:
      return (*warp.kernel->constant(pc, static_cast<std::size_t>(slot))[0])[lane];
    case isa::Operand::Kind::reg:
      return w_.effects->register_value(id, operand.reg, lane);
    case isa::Operand::Kind::special: {
      LaneVec low, high;
      read_special(instruction, operand, LaneMask{1} << lane, warp, w_.place, now, w_.clock_mhz, low, high);
      return low[lane];
    }
    default:
      return 0;
  }
}

void ControlExecution::arrive_at_barrier(Cycle now, WarpId id, std::uint32_t pc, LaneMask mask) {
  ++w_.accounts->barriers;
  WarpState& warp = w_.warps->state(id);
  WarpProgress& progress = w_.warps->progress(id);
  const isa::Instruction& instruction = progress.code[pc];
  BarrierUnit::Arrival arrival;
  arrival.context = &warp.context;
  arrival.instruction = &instruction;
  arrival.number = uniform_value(now, id, pc, 0);
  arrival.threads = instruction.num_src > 1 ? uniform_value(now, id, pc, 1) : 0;
  arrival.mask = mask;
  if (instruction.num_src > 2) arrival.predicate = predicate_of(instruction.src[2], warp);
  arrival.waits = instruction.barrier != isa::BarrierKind::arrive;
  if (arrival.waits) {
    progress.wait = WarpWait::barrier;
    arrivals_[id.value] = now;
    warp.waits_at = &instruction;
    warp.barrier_number = arrival.number;
    warp.barrier_mask = mask;
  }
  release_from_barrier(now, barriers_.arrive(arrival));
}

void ControlExecution::wait_for_copies(WarpId id, std::uint32_t pc, LaneMask mask) {
  WarpProgress& progress = w_.warps->progress(id);
  const isa::Instruction& instruction = progress.code[pc];
  if (!w_.copies->wait(id, mask, static_cast<std::uint32_t>(instruction.src[0].value))) return;
  progress.wait = WarpWait::async;
  w_.warps->state(id).waits_at = &instruction;
}

void ControlExecution::release_from_barrier(Cycle now, WarpSet warps) {
  for (const WarpId id : warps) {
    WarpProgress& progress = w_.warps->progress(id);
    w_.accounts->barrier_wait_cycles += now - arrivals_[id.value];
    write_reduction(id);
    if (progress.wait == WarpWait::switched_out)
      w_.effects->barrier_opens(id);
    else
      progress.wait = WarpWait::none;
    w_.readiness->touch(id);
  }
}

void ControlExecution::write_reduction(WarpId id) {
  WarpState& warp = w_.warps->state(id);
  const isa::Instruction& instruction = *warp.waits_at;
  if (instruction.num_dst == 0) return;
  const BarrierUnit::Reduction vote = barriers_.reduction(warp.context.cta_slot, warp.barrier_number);
  const isa::Operand& destination = instruction.dst[0];
  if (!destination.is_pred()) {
    w_.effects->send_vote(id, vote.votes);
    return;
  }
  const bool holds =
      instruction.barrier == isa::BarrierKind::red_and ? vote.votes == vote.lanes : vote.votes != 0;
  LaneMask& predicate = warp.predicates[destination.pred.value];
  predicate = holds ? predicate | warp.barrier_mask : predicate & ~warp.barrier_mask;
}

}  // namespace heddle
