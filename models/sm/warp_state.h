#pragma once

// State of one warp slot: members that the issue stage uses in every cycle, and all others.

#include <array>

#include "models/isa/types.h"
#include "models/ports/warp_context.h"
#include "models/scheduler/scoreboard.h"
#include "models/sm/loaded_kernel.h"
#include "models/sm/simt_stack.h"

namespace heddle {

enum class WarpWait : std::uint8_t {
  none,
  switched_out,  ///< the warp executes instructions outside its program (models/ports/residency.h)
  // A warp in one of the following states executes no instruction.
  barrier,
  fence,
};

/// Progress of one warp: the members that the issue stage uses in every cycle, in one cache line.
struct alignas(64) WarpProgress {
  bool waits_for_long = false;  ///< InstructionFootprint::waits_for_long of the last instruction
  WarpWait wait = WarpWait::none;
  SchedulerId scheduler{};
  std::uint32_t partition = 0;
  std::uint32_t in_flight = 0;         ///< instructions issued and not completed
  std::uint32_t memory_in_flight = 0;  ///< memory instructions issued and not completed
  /// instructions in a collector or with short latency in flight, which delay descheduling
  std::uint32_t near_in_flight = 0;
  const InstructionFootprint* footprints = nullptr;  ///< footprints of the warp's kernel, by pc
  const isa::Instruction* code = nullptr;
};

struct WarpState {
  const LoadedKernel* kernel = nullptr;
  SimtStack simt;
  std::array<LaneMask, 64> predicates{};
  WarpContext context;
  const isa::Instruction* waits_at = nullptr;  ///< barrier or fence instruction at which the warp waits
  std::uint32_t barrier_number = 0;
  LaneMask barrier_mask = 0;
  LaneMask spinning = 0;                   ///< lanes that last went round a waiting loop
  std::uint32_t spins = 0, all_spins = 0;  ///< iterations of these lanes in a row; of any lanes
};

}  // namespace heddle
