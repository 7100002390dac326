#pragma once

// State of resident CTAs and their warps in the reference.

#include <string>
#include <vector>

#include "models/reference/barrier_set.h"
#include "models/reference/decoded_program.h"
#include "models/reference/reference.h"
#include "models/reference/simt_stack.h"
#include "models/reference/special_registers.h"

namespace heddle::reference {

struct CtaState;

/// An active call: the saved registers of its function, and the stack depth at which it began.
struct CallRecord {
  int base = 0;
  const DecodedFunction* function = nullptr;
  std::uint32_t pointer = 0;
  std::vector<LaneVec> values;  ///< address of the caller's frame, then the function's registers
  std::vector<LaneMask> predicates;
};

struct WarpState {
  CtaState* cta = nullptr;
  std::uint32_t index = 0;      ///< index in the CTA
  std::vector<LaneVec> values;  ///< registers, then special registers
  std::vector<LaneMask> predicates;
  std::vector<std::uint8_t> local;
  SimtStack stack;
  std::vector<CallRecord> records;
  std::size_t calls = 0;                        ///< number of active calls in `records`
  bool waiting = false;                         ///< true if the warp waits at a barrier
  const DecodedInstruction* barrier = nullptr;  ///< the barrier instruction at which the warp waits
  LaneMask barrier_lanes = 0;
  WarpClock clock;
  LaneMask spinning = 0;                   ///< lanes that last went round a waiting loop
  std::uint32_t spins = 0, all_spins = 0;  ///< iterations of these lanes in a row; of any lanes
  /// Entry of the stack above which the paths of the call under way stand.
  int base() const { return calls == 0 ? 0 : records[calls - 1].base; }
  bool runs() const { return !waiting && !stack.empty(); }
};

/// Returns the active lanes whose guard holds.
LaneMask executing_lanes(const WarpState& warp, const DecodedInstruction& d);
/// Writes a value to the given lanes of a register. `high` is ignored for 32-bit registers.
void write(WarpState& warp, const Destination& to, const LaneVec& low, const LaneVec* high, LaneMask lanes);
/// Enters a function with the given lanes. Returns the first lane whose frame does not fit, or -1.
int enter_call(WarpState& warp, const DecodedCall& call, const Candidate& candidate, LaneMask lanes);
/// Returns the lanes from the innermost call.
void leave_call(WarpState& warp, LaneMask lanes);
/// Removes calls whose lanes have all returned or ended.
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
  isa::MachineReads::Cta* machine = nullptr;  ///< what it read when it was timed
};

/// Words of a source in a register or in the pool. `high` is nullptr for 32-bit sources.
struct SourceWords {
  const LaneVec* low = nullptr;
  const LaneVec* high = nullptr;
  std::uint64_t of_lane(int lane) const {
    return low ? (*low)[lane] | (high ? std::uint64_t{(*high)[lane]} << 32 : 0) : 0;
  }
};
/// Returns the words of source `slot` of an instruction. `counter`: storage for the value of a counter source
/// that `lanes` read after `steps` warp-instructions.
SourceWords words_of(const DecodedProgram& program, const WarpState& warp, const DecodedInstruction& d,
                     int slot, LaneMask lanes, std::uint64_t steps, LaneVec (&counter)[2]);

/// Returns the instruction in the form for observers.
ExecutedInstruction view_of(const isa::KernelLaunch& launch, const DecodedProgram& program,
                            const WarpState& warp, const DecodedInstruction& d, LaneMask active,
                            LaneMask executing);

}  // namespace heddle::reference
