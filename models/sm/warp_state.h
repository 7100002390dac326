#pragma once

// State of one warp slot. WarpProgress has the members that the issue stage uses in every cycle, and WarpState
// has all other members.

#include <array>

#include "models/isa/types.h"
#include "models/ports/warp_context.h"
#include "models/scheduler/scoreboard.h"
#include "models/sm/loaded_kernel.h"
#include "models/sm/simt_stack.h"

namespace heddle {

enum class WarpWait : std::uint8_t {
  none,
  /// the warp executes save or restore instructions for its registers
  switched_out,
  // In the states `barrier`, `fence` and `async`, the warp executes no instruction.
  barrier,
  fence,
  /// the warp waits for asynchronous copies (cp.async.wait_group) or in mbarrier.try_wait
  async,
};

struct alignas(64) WarpProgress {
  /// true: the last issued instruction ends a strand, so the warp waits until all its pending long-latency
  /// results are written
  bool waits_for_long = false;
  WarpWait wait = WarpWait::none;
  SchedulerId scheduler{};
  std::uint32_t partition = 0;
  std::uint32_t in_flight = 0;
  /// number of memory instructions that were issued and have not completed
  std::uint32_t memory_in_flight = 0;
  /// Number of instructions in a collector, or in flight with short latency. If it is 0, the warp can be
  /// descheduled.
  std::uint32_t near_in_flight = 0;
  const InstructionFootprint* footprints = nullptr;
  const isa::Instruction* code = nullptr;
};

struct WarpState {
  const LoadedKernel* kernel = nullptr;
  SimtStack simt;
  std::array<LaneMask, 64> predicates{};
  WarpContext context;
  const isa::Instruction* waits_at = nullptr;
  std::uint32_t barrier_number = 0;
  LaneMask barrier_mask = 0;
  LaneMask spinning = 0;
  /// Number of consecutive iterations of a loop that waits for other threads. `spins` counts iterations of
  /// the same lanes (`spinning`), `all_spins` iterations of any lanes while the warp is divergent.
  std::uint32_t spins = 0, all_spins = 0;
};

}  // namespace heddle
