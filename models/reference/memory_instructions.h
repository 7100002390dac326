#pragma once

// Loads, stores and atomics of the reference.

#include <vector>

#include "models/reference/faults.h"
#include "models/reference/lane_memory.h"

namespace heddle::reference {

class MemoryInstructions {
 public:
  MemoryInstructions(const isa::KernelLaunch& launch, const DecodedProgram& decoded, MemoryImage& memory,
                     const ReferenceOptions& options, Progress& progress, ReferenceResult& counts);

  /// Selects the warp of the following instructions.
  void enter(WarpState& warp);
  /// `seen`: description for the observer, or nullptr.
  void execute(WarpState& warp, const DecodedInstruction& d, LaneMask executing,
               const ExecutedInstruction* seen);

 private:
  SourceWords source(const WarpState& warp, const DecodedInstruction& d, int slot, LaneMask executing,
                     LaneVec (&counter)[2]) const {
    return words_of(decoded_, warp, d, slot, executing, progress_.steps(), counter);
  }
  void resolve_lanes(const WarpState& warp, const DecodedInstruction& d, LaneMask executing,
                     const ExecutedInstruction* seen, ResolvedAccess& access);
  void load(WarpState& warp, const DecodedInstruction& d, LaneMask executing, const ResolvedAccess& access);
  void store(const WarpState& warp, const DecodedInstruction& d, LaneMask executing,
             const ResolvedAccess& access);
  void atomic(WarpState& warp, const DecodedInstruction& d, LaneMask executing, const ResolvedAccess& access);

  const isa::KernelLaunch& launch_;
  const DecodedProgram& decoded_;
  const ReferenceOptions& options_;
  Faults faults_;
  std::vector<std::uint8_t> parameters_;
  std::vector<NearAddresses> near_;  ///< by DecodedInstruction::access
  MemoryView view_;                  ///< memory of the current warp
  Progress& progress_;
  ReferenceResult& counts_;
};

}  // namespace heddle::reference
