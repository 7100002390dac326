#pragma once

// The CTAs that are resident and their warps, as the reference executes them.

#include <string>
#include <vector>

#include "models/reference/barrier_set.h"
#include "models/reference/decoded_program.h"
#include "models/reference/reference.h"
#include "models/reference/simt_stack.h"

namespace heddle::reference {

struct CtaState;

/// A call under way: what its function's registers held before, where it began in the stack.
struct CallRecord {
  int base = 0;
  const DecodedFunction* function = nullptr;
  std::uint32_t pointer = 0;
  std::vector<LaneVec> values;  ///< the frame's address, then the function's registers
  std::vector<LaneMask> predicates;
};

struct WarpState {
  CtaState* cta = nullptr;
  std::uint32_t index = 0;      ///< of the CTA
  std::vector<LaneVec> values;  ///< registers, then special registers
  std::vector<LaneMask> predicates;
  std::vector<std::uint8_t> local;
  SimtStack stack;
  std::vector<CallRecord> records;
  std::size_t calls = 0;                        ///< of `records`, those under way
  bool waiting = false;                         ///< at a barrier
  const DecodedInstruction* barrier = nullptr;  ///< the barrier instruction it waits at
  LaneMask barrier_lanes = 0;
  bool runs() const { return !waiting && !stack.empty(); }
};

/// Active lanes whose guard holds.
LaneMask executing_lanes(const WarpState& warp, const DecodedInstruction& d);
/// Lanes of `lanes` of a register take the value; `high` of a narrow one says nothing.
void write(WarpState& warp, const Destination& to, const LaneVec& low, const LaneVec* high, LaneMask lanes);
/// Lanes enter a function; the first lane for which its frame does not fit, or -1.
int enter_call(WarpState& warp, const DecodedCall& call, const Candidate& candidate, LaneMask lanes);
/// Lanes return from the call that was entered last.
void leave_call(WarpState& warp, LaneMask lanes);
/// Forgets calls all of whose lanes have returned or ended.
void end_calls(WarpState& warp);

struct CtaState {
  bool occupied = false;
  std::uint64_t linear = 0;
  isa::Dim3 position;
  std::uint32_t live_warps = 0;
  std::uint32_t waiting_warps = 0;
  std::uint64_t steps = 0;  ///< warp-instructions so far
  std::vector<WarpState> warps;
  std::vector<std::uint8_t> shared;
  BarrierSet barriers;
};

/// Words of a register-like source; `high` of a narrow one is nullptr.
struct SourceWords {
  const LaneVec* low = nullptr;
  const LaneVec* high = nullptr;
  std::uint64_t of_lane(int lane) const {
    return low ? (*low)[lane] | (high ? std::uint64_t{(*high)[lane]} << 32 : 0) : 0;
  }
};
/// `counter`: room for what a source that counts holds after `steps` warp-instructions.
SourceWords words_of(const DecodedProgram& program, const WarpState& warp, const Source& source,
                     std::uint64_t steps, LaneVec (&counter)[2]);

/// The instruction as an observer sees it.
ExecutedInstruction view_of(const isa::KernelLaunch& launch, const DecodedProgram& program,
                            const WarpState& warp, const DecodedInstruction& d, LaneMask active,
                            LaneMask executing);

}  // namespace heddle::reference
