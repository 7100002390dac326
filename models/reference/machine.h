#pragma once

// The machine behind run_reference: gives resident warps their turns, and executes their instructions.

#include <vector>

#include "models/reference/barriers.h"
#include "models/reference/lane_work.h"
#include "models/reference/memory_instructions.h"
#include "models/reference/resident_ctas.h"
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
  bool step(WarpState& warp, const DecodedInstruction& d, LaneMask active, LaneMask executing,
            const ExecutedInstruction* seen);
  void access(WarpState& warp, const DecodedInstruction& d, LaneMask executing,
              const ExecutedInstruction* seen);
  void branch(WarpState& warp, const DecodedInstruction& d, LaneMask active, LaneMask executing,
              std::int32_t pc);
  /// Lanes that call different functions take their turns in the order of the functions that the call may mean; all lanes of a call
  /// meet at the function's end, and those of the caller behind the call.
  void call(WarpState& warp, const DecodedInstruction& d, LaneMask executing, std::int32_t pc);
  void exit_lanes(WarpState& warp, LaneMask executing, std::int32_t pc);
  void finish_counts();

  const isa::KernelLaunch& launch_;
  const isa::Program& program_;
  const ReferenceOptions& options_;
  const DecodedProgram decoded_;
  ReferenceResult result_;
  /// Of straight stretches: what begins at an instruction, less what has ended before it.
  std::vector<std::uint64_t> passes_, pass_threads_;
  Progress progress_;
  Faults faults_;
  LaneWork lanes_;
  MemoryInstructions memory_;
  TextureLookUps textures_;
  Barriers barriers_;
  ResidentCtas ctas_;
};

}  // namespace heddle::reference
