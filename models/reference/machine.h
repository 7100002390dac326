#pragma once

// The machine that run_reference uses: gives resident warps their turns and executes their instructions.

#include <vector>

#include "models/reference/barriers.h"
#include "models/reference/lane_work.h"
#include "models/reference/memory_instructions.h"
#include "models/reference/resident_ctas.h"
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
  bool step(WarpState& warp, const DecodedInstruction& d, LaneMask active, LaneMask executing,
            const ExecutedInstruction* seen);
  void access(WarpState& warp, const DecodedInstruction& d, LaneMask executing,
              const ExecutedInstruction* seen);
  std::int32_t next_meeting(std::int32_t pc) const;
  /// Lanes of `taken` begin another iteration of a waiting loop.
  void spin(WarpState& warp, LaneMask taken) const;
  void branch(WarpState& warp, const DecodedInstruction& d, LaneMask active, LaneMask executing,
              std::int32_t pc);
  /// Executes a kept call. Lanes with different callees execute one callee after the other, in the order of
  /// the candidates. The lanes of each callee reconverge at its end, and all lanes after the call.
  void call(WarpState& warp, const DecodedInstruction& d, LaneMask executing, std::int32_t pc);
  /// A warp's turn comes while there is no progress.
  void look_for_standstill(const WarpState& warp);
  /// Executes one round of a warp that repeats itself.
  WarpLoop loop_of(WarpState& warp);
  void exit_lanes(WarpState& warp, LaneMask executing, std::int32_t pc);
  void finish_counts();

  const isa::KernelLaunch& launch_;
  const isa::Program& program_;
  const ReferenceOptions& options_;
  const DecodedProgram decoded_;
  ReferenceResult result_;
  /// Difference arrays over instructions: a straight stretch adds at its first instruction and subtracts
  /// after its last.
  std::vector<std::uint64_t> passes_, pass_threads_;
  Progress progress_;
  Faults faults_;
  LaneWork lanes_;
  MemoryInstructions memory_;
  TextureLookUps textures_;
  Barriers barriers_;
  ResidentCtas ctas_;
  /// Warps depend on memory and on each other alone: no clock, and no CTAs that are not executed.
  const bool can_stand_still_;
  Standstill standstill_;
  std::uint64_t made_before_ = 0;  ///< Progress::times_made() as the watch began
  bool all_repeat_ = false;        ///< all warps that had their turn in this round repeat themselves
};

}  // namespace heddle::reference
