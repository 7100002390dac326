#pragma once

// The machine on which run_reference executes a launch: lets the resident warps run in turns, and executes
// their instructions.

#include <vector>

#include "models/reference/barriers.h"
#include "models/reference/lane_work.h"
#include "models/reference/memory_instructions.h"
#include "models/reference/resident_ctas.h"
#include "models/reference/sight.h"
#include "models/reference/standstill.h"
#include "models/reference/texture_look_ups.h"

namespace heddle::reference {

class Machine {
 public:
  Machine(const isa::KernelLaunch& launch, MemoryImage& memory, const ReferenceOptions& options);
  ReferenceResult run();

 private:
  void run_warp(WarpState& warp);
  void run_straight(WarpState& warp, std::int32_t pc, std::int32_t end);
  bool run_next(WarpState& warp, std::int32_t pc);
  bool step(WarpState& warp, const DecodedInstruction& d, LaneMask active, LaneMask executing);
  void access(WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
    if (accesses_by_lane(d.action)) return memory_.execute(warp, d, executing);
    access_otherwise(warp, d, executing);
  }
  /// Executes texture look-ups, accesses to rows of matrices, asynchronous copies, and instructions that
  /// change no register.
  void access_otherwise(WarpState& warp, const DecodedInstruction& d, LaneMask executing);
  std::int32_t next_meeting(std::int32_t pc) const;
  /// Counts an iteration of a loop in which the lanes `taken` wait for other threads. After isa::kSpins
  /// iterations of the same lanes, or isa::kMostSpins iterations of any lanes, another path of the warp runs.
  void spin(WarpState& warp, LaneMask taken) const;
  void branch(WarpState& warp, const DecodedInstruction& d, LaneMask active, LaneMask executing,
              std::int32_t pc);
  /// Executes a call. If lanes call different functions, the functions run one after the other. The lanes of
  /// each function reconverge at its end, and all lanes reconverge after the call.
  void call(WarpState& warp, const DecodedInstruction& d, LaneMask executing, std::int32_t pc);
  void look_for_standstill(const WarpState& warp);
  /// Executes one iteration of the loop that a warp without progress repeats, and returns the instructions of
  /// this loop.
  WarpLoop loop_of(WarpState& warp);
  void exit_lanes(WarpState& warp, LaneMask executing, std::int32_t pc);
  void finish_counts();

  const isa::KernelLaunch& launch_;
  const isa::Program& program_;
  const ReferenceOptions& options_;
  const DecodedProgram decoded_;
  ReferenceResult result_;
  /// Numbers of executions of each instruction, by warps and by threads. Element i holds the count of
  /// instruction i minus the count of instruction i - 1. A sequence without branches therefore changes only
  /// two elements: the element of its first instruction, and the element after its last instruction.
  std::vector<std::uint64_t> passes_, pass_threads_;
  Progress progress_;
  Faults faults_;
  Sight sight_;
  LaneWork lanes_;
  MemoryInstructions memory_;
  TextureLookUps textures_;
  Barriers barriers_;
  ResidentCtas ctas_;
  /// True: no instruction reads a clock, and the run executes all CTAs of the grid. A warp's next state then
  /// depends only on its state, on memory and on the other resident warps.
  const bool can_stand_still_;
  bool sees_steps_ = false;
  Standstill standstill_;
  std::uint64_t made_before_ = 0;
  bool all_repeat_ = false;
};

}  // namespace heddle::reference
