#pragma once

// State of the resident CTAs and their warps in a reference run.

#include <string>
#include <vector>

#include "models/reference/barrier_set.h"
#include "models/reference/decoded_program.h"
#include "models/reference/reference.h"
#include "models/reference/simt_stack.h"
#include "models/reference/special_registers.h"

namespace heddle::reference {

struct CtaState;

/// A call that has not returned: the saved registers of the called function, and the depth of the SIMT stack
/// before the call.
struct CallRecord {
  int base = 0;
  const DecodedFunction* function = nullptr;
  std::uint32_t pointer = 0;
  /// Saved values: address of the caller's stack frame, then the registers of the function.
  std::vector<LaneVec> values;
  std::vector<LaneMask> predicates;
};

struct WarpState {
  CtaState* cta = nullptr;
  std::uint32_t index = 0;
  std::vector<LaneVec> values;
  std::vector<LaneMask> predicates;
  std::vector<std::uint8_t> local;
  SimtStack stack;
  std::vector<CallRecord> records;
  std::size_t calls = 0;
  bool waiting = false;
  const DecodedInstruction* barrier = nullptr;
  LaneMask barrier_lanes = 0;
  WarpClock clock;
  LaneMask spinning = 0;  ///< lanes that executed the latest iteration of a loop that waits for other threads
  /// Numbers of consecutive iterations of a loop that waits for other threads. `spins` counts iterations of
  /// the same lanes (`spinning`), `all_spins` iterations of any lanes.
  std::uint32_t spins = 0, all_spins = 0;
  int base() const { return calls == 0 ? 0 : records[calls - 1].base; }
  bool runs() const { return !waiting && !stack.empty(); }
};

LaneMask executing_lanes(const WarpState& warp, const DecodedInstruction& d);
void write(WarpState& warp, const Destination& to, const LaneVec& low, const LaneVec* high, LaneMask lanes);
/// Starts a call of one function. Returns the first lane whose stack frame does not fit into the lane's call
/// stack, or -1.
int enter_call(WarpState& warp, const DecodedCall& call, const Candidate& candidate, LaneMask lanes);
void leave_call(WarpState& warp, LaneMask lanes);
void end_calls(WarpState& warp);

struct CtaState {
  bool occupied = false;
  std::uint64_t linear = 0;
  isa::Dim3 position;
  std::uint32_t live_warps = 0;
  std::uint32_t waiting_warps = 0;
  std::uint64_t steps = 0, global_segments = 0;
  std::vector<WarpState> warps;
  std::vector<std::uint8_t> shared;
  BarrierSet barriers;
  isa::MachineReads::Cta* machine = nullptr;
};

/// Words of a source operand in a register or in the pool of constants. `high` is nullptr for 32-bit sources.
struct SourceWords {
  const LaneVec* low = nullptr;
  const LaneVec* high = nullptr;
  std::uint64_t of_lane(int lane) const {
    return low ? (*low)[lane] | (high ? std::uint64_t{(*high)[lane]} << 32 : 0) : 0;
  }
};
SourceWords words_of(const DecodedProgram& program, const WarpState& warp, const DecodedInstruction& d,
                     int slot, LaneMask lanes, std::uint64_t steps, LaneVec (&counter)[2]);

ExecutedInstruction view_of(const isa::KernelLaunch& launch, const DecodedProgram& program,
                            const WarpState& warp, const DecodedInstruction& d, LaneMask active,
                            LaneMask executing);

}  // namespace heddle::reference
