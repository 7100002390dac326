#pragma once

// Executes the loads, stores, matrix accesses and atomic operations of the reference run.

#include <vector>

#include "models/reference/faults.h"
#include "models/reference/lane_memory.h"
#include "models/reference/sight.h"

namespace heddle::reference {

class MemoryInstructions {
 public:
  MemoryInstructions(const isa::KernelLaunch& launch, const DecodedProgram& decoded, MemoryImage& memory,
                     const ReferenceOptions& options, Progress& progress, ReferenceResult& counts,
                     const Sight& sight);

  void enter(WarpState& warp);
  /// Executes a load, a store or an atomic operation.
  void execute(WarpState& warp, const DecodedInstruction& d, LaneMask executing);
  /// Executes ldmatrix or stmatrix.
  void move_matrices(WarpState& warp, const DecodedInstruction& d, LaneMask executing);

 private:
  SourceWords source(const WarpState& warp, const DecodedInstruction& d, int slot, LaneMask executing,
                     LaneVec (&counter)[2]) const {
    return words_of(decoded_, warp, d, slot, executing, progress_.steps(), counter);
  }
  void resolve_lanes(const WarpState& warp, const DecodedInstruction& d, const isa::MemoryAccess& form,
                     LaneMask executing, ResolvedAccess& access);
  void load(WarpState& warp, const DecodedInstruction& d, LaneMask executing, const ResolvedAccess& access);
  void store(const WarpState& warp, const DecodedInstruction& d, LaneMask executing,
             const ResolvedAccess& access);
  void atomic(WarpState& warp, const DecodedInstruction& d, LaneMask executing, const ResolvedAccess& access);

  const DecodedProgram& decoded_;
  const ReferenceOptions& options_;
  Faults faults_;
  std::vector<std::uint8_t> parameters_;
  std::vector<NearAddresses> near_;
  MemoryView view_;
  Progress& progress_;
  ReferenceResult& counts_;
  const Sight& sight_;
};

}  // namespace heddle::reference
