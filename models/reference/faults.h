#pragma once

// Throws the errors of one launch, with the names of kernel, CTA and thread.

#include <memory>
#include <string>
#include <vector>

#include "models/reference/progress.h"
#include "models/reference/warp_state.h"

namespace heddle::reference {

class Faults {
 public:
  explicit Faults(const isa::KernelLaunch& launch) : launch_(&launch) {}

  /// `lane`: -1 for the whole warp.
  [[noreturn]] void fail(const WarpState& warp, const DecodedInstruction& d, FaultError::Kind kind, int lane,
                         const std::string& what, const std::string& allowed = {}) const;
  /// Throws the error for a limit that Progress has reached.
  [[noreturn]] void fail_endless(const DecodedProgram& program, const Progress& progress,
                                 const std::vector<std::unique_ptr<CtaState>>& ctas) const;

 private:
  const isa::KernelLaunch* launch_;
};

}  // namespace heddle::reference
