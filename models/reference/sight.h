#pragma once

// What the observer of a run sees of the instructions of warps.

#include "models/reference/warp_state.h"

namespace heddle::reference {

class Sight {
 public:
  /// The arguments must outlive this object.
  Sight(const isa::KernelLaunch& launch, const DecodedProgram& decoded, const ReferenceOptions& options)
      : launch_(launch), decoded_(decoded), observer_(options.observer) {}

  ExecutedInstruction view(const WarpState& warp, const DecodedInstruction& d, LaneMask active,
                           LaneMask executing) const {
    return view_of(launch_, decoded_, warp, d, active, executing);
  }
  ExecutedInstruction view(const WarpState& warp, const DecodedInstruction& d, LaneMask executing) const {
    return view(warp, d, warp.stack.active(), executing);
  }
  /// Call the observer, which must exist.
  void fenced(const WarpState& warp, const DecodedInstruction& d, LaneMask executing) const {
    observer_->fenced(view(warp, d, executing));
  }
  void noted(const WarpState& warp, const DecodedInstruction& d) const {
    observer_->noted(view(warp, d, warp.stack.active()));
  }

 private:
  const isa::KernelLaunch& launch_;
  const DecodedProgram& decoded_;
  Observer* observer_;
};

}  // namespace heddle::reference
