#pragma once

// Executes the barrier instructions of the reference run, and throws Error for a barrier that can never
// complete.

#include "models/reference/faults.h"

namespace heddle::reference {

class Barriers {
 public:
  Barriers(const isa::KernelLaunch& launch, const DecodedProgram& decoded, const ReferenceOptions& options,
           const Progress& progress)
      : launch_(launch), decoded_(decoded), options_(options), faults_(launch), progress_(progress) {}

  void arrive(WarpState& warp, const DecodedInstruction& d, LaneMask executing);
  /// Records that all threads of the warp have exited, which may complete barriers at which other warps of
  /// its CTA wait.
  void exited(const WarpState& warp);

 private:
  void complete(CtaState& cta, const BarrierSet::Completion& done);
  /// Throws Error if all warps of the CTA wait at barriers, so that none of these warps can continue.
  void check(const CtaState& cta) const;

  const isa::KernelLaunch& launch_;
  const DecodedProgram& decoded_;
  const ReferenceOptions& options_;
  Faults faults_;
  const Progress& progress_;
};

}  // namespace heddle::reference
