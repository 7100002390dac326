// Calls that a program keeps (models/isa/kept_calls.h). Lanes that call different functions take their turns in the order of the
// functions that the call may mean; all lanes of a call meet at the function's end, and those of the caller behind the call. What a
// function's registers hold belongs to the call under way: they are put aside when a call enters it, and come back when it returns.

#include <fmt/format.h>

#include <bit>

#include "models/isa/kept_calls.h"
#include "models/reference/machine.h"

namespace heddle::reference {

void Machine::call(WarpState& warp, const DecodedInstruction& d, LaneMask executing, std::int32_t pc) {
  const DecodedCall& call = decoded_.calls[static_cast<std::size_t>(d.target)];
  LaneVec counter[2];
  const Words callee = words_of(warp, d.src[isa::kCallee], counter);
  std::vector<LaneMask> lanes(call.candidates.size(), 0);
  LaneMask left = executing;
  for (std::size_t c = 0; c < lanes.size(); ++c) {
    const std::uint64_t address = call.candidates[c].address;
    for (int lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t high = callee.high ? (*callee.high)[lane] : 0;
      if ((left >> lane & 1u) != 0 && (high << 32 | (*callee.low)[lane]) == address) lanes[c] |= 1u << lane;
    }
    left &= ~lanes[c];
  }
  if (left != 0)
    fail(warp, d, FaultError::Kind::assertion, std::countr_zero(left),
         isa::assertion_text(program_.runtime_calls[d.instruction->payload - 1]));
  warp.stack.begin_calls(pc + 1);
  for (std::size_t c = lanes.size(); c-- > 0;) {
    if (lanes[c] == 0) continue;
    const Candidate& candidate = call.candidates[c];
    if (const int lane = enter_call(warp, call, candidate, lanes[c]); lane >= 0)
      fail(warp, d, FaultError::Kind::assertion, lane,
           isa::assertion_text(program_.runtime_calls[candidate.full_stack - 1]));
  }
}

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
