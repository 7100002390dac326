#include "models/reference/warp_state.h"

#include "models/reference/lane_work.h"
#include "models/reference/special_registers.h"

namespace heddle::reference {

LaneMask executing_lanes(const WarpState& warp, const DecodedInstruction& d) {
  const LaneMask active = warp.stack.active();
  if (!d.guarded) return active;
  const LaneMask guard = warp.predicates[d.guard];
  return active & (d.guard_negated ? ~guard : guard);
}

void write(WarpState& warp, const Destination& to, const LaneVec& low, const LaneVec* high, LaneMask lanes) {
  if (to.kind != Destination::Kind::reg) return;
  isa::kRows.merge(warp.values[to.index], low, lanes);
  if (to.wide) isa::kRows.merge(warp.values[to.index + 1], *high, lanes);
}

SourceWords words_of(const DecodedProgram& program, const WarpState& warp, const DecodedInstruction& d,
                     int slot, LaneMask lanes, std::uint64_t steps, LaneVec (&counter)[2]) {
  const Source& source = d.src[static_cast<std::size_t>(slot)];
  const LaneVec* low = nullptr;
  if (source.kind == Source::Kind::warp) {
    low = warp.values.data() + source.index;
  } else if (source.kind == Source::Kind::pool) {
    low = program.pool.data() + source.index;
  } else if (source.kind == Source::Kind::counter) {
    fill_counter(static_cast<isa::SpecialRegister>(source.index), *d.instruction, lanes, warp.clock, steps,
                 counter);
    low = counter;
  }
  return {low, low && source.wide ? low + 1 : nullptr};
}

ExecutedInstruction view_of(const isa::KernelLaunch& launch, const DecodedProgram& program,
                            const WarpState& warp, const DecodedInstruction& d, LaneMask active,
                            LaneMask executing) {
  return {launch,
          *d.instruction,
          static_cast<std::uint32_t>(&d - program.code.data()),
          warp.cta->linear,
          warp.index,
          active,
          executing,
          std::span(warp.values).first(launch.program->registers),
          warp.predicates,
          0,
          nullptr,
          &warp.stack};
}

// Saves and restores the registers of a function around its inner calls: a function has one set of registers,
// which belongs to its innermost call. enter_call() saves the values of the outer call, and leave_call()
// restores them.

int enter_call(WarpState& warp, const DecodedCall& call, const Candidate& candidate, LaneMask lanes) {
  const DecodedFunction& f = candidate.function;
  if (warp.records.size() == warp.calls) warp.records.emplace_back();
  CallRecord& record = warp.records[warp.calls++];
  LaneVec& pointer = warp.values[call.pointer];
  record.base = warp.stack.depth();
  record.function = &f;
  record.pointer = call.pointer;
  record.values.assign(1, pointer);
  record.values.insert(record.values.end(), warp.values.begin() + f.first_register,
                       warp.values.begin() + f.end_register);
  record.predicates.assign(warp.predicates.begin() + f.first_predicate,
                           warp.predicates.begin() + f.end_predicate);
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    pointer[lane] += call.frame_bytes;
    if (pointer[lane] + f.frame_bytes > candidate.stack_end) return lane;
  }
  warp.stack.enter(lanes, f.entry);
  return -1;
}

void leave_call(WarpState& warp, LaneMask lanes) {
  const CallRecord& record = warp.records[warp.calls - 1];
  const DecodedFunction& f = *record.function;
  merge_lanes(warp.values[record.pointer], record.values[0], lanes);
  for (std::size_t r = 1; r < record.values.size(); ++r)
    merge_lanes(warp.values[f.first_register + r - 1], record.values[r], lanes);
  for (std::size_t p = 0; p < record.predicates.size(); ++p) {
    LaneMask& predicate = warp.predicates[f.first_predicate + p];
    predicate = (predicate & ~lanes) | (record.predicates[p] & lanes);
  }
  warp.stack.leave(lanes, record.base);
  end_calls(warp);
}

void end_calls(WarpState& warp) {
  while (warp.calls != 0 && warp.stack.depth() <= warp.records[warp.calls - 1].base) --warp.calls;
}

}  // namespace heddle::reference
