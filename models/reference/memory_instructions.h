#pragma once

// Executes the loads, stores, matrix accesses, asynchronous copies and atomic operations of the reference run.

#include "models/reference/copy_instructions.h"

namespace heddle::reference {

class MemoryInstructions {
 public:
  MemoryInstructions(const isa::KernelLaunch& launch, const DecodedProgram& decoded, MemoryImage& memory,
                     const ReferenceOptions& options, Progress& progress, ReferenceResult& counts,
                     const Sight& sight);

  void enter(WarpState& warp) { accesses_.enter(warp); }
  void execute(WarpState& warp, const DecodedInstruction& d, LaneMask executing);
  /// Executes ldmatrix or stmatrix.
  void move_matrices(WarpState& warp, const DecodedInstruction& d, LaneMask executing);
  void copy(const WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
    copies_.execute(warp, d, executing);
  }

 private:
  void load(WarpState& warp, const DecodedInstruction& d, LaneMask executing, const ResolvedAccess& access);
  void store(const WarpState& warp, const DecodedInstruction& d, LaneMask executing,
             const ResolvedAccess& access);
  std::uint64_t mbarrier(const WarpState& warp, const DecodedInstruction& d, int lane, std::uint64_t object,
                         std::uint64_t count) const;
  void atomic(WarpState& warp, const DecodedInstruction& d, LaneMask executing, const ResolvedAccess& access);

  LaneAccesses accesses_;
  CopyInstructions copies_;
  Progress& progress_;
  ReferenceResult& counts_;
};

}  // namespace heddle::reference
