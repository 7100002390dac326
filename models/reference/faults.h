#pragma once

// Throws the errors of a reference run, which name kernel, CTA and thread.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/reference/progress.h"
#include "models/reference/waits.h"
#include "models/reference/warp_state.h"

namespace heddle::reference {

class Faults {
 public:
  explicit Faults(const isa::KernelLaunch& launch) : launch_(&launch) {}

  /// Throws a FaultError for an instruction of a warp. `lane`: lane that failed, or -1 for the whole warp.
  [[noreturn]] void fail(const WarpState& warp, const DecodedInstruction& d, FaultError::Kind kind, int lane,
                         const std::string& what, const std::string& allowed = {}) const;
  /// Throws a FaultError if not all lanes of the warp execute the instruction. `executing`: lanes that
  /// execute the instruction.
  void require_all_lanes(const WarpState& warp, const DecodedInstruction& d, LaneMask executing) const;
  /// Throws the error for a launch in which no warp can ever make progress. `loop_of`: function that returns
  /// the loop that a running warp repeats.
  [[noreturn]] void fail_standstill(const DecodedProgram& program,
                                    const std::vector<std::unique_ptr<CtaState>>& ctas,
                                    const std::function<WarpLoop(WarpState&)>& loop_of) const;
  [[noreturn]] void fail_endless(const DecodedProgram& program, const Progress& progress,
                                 const std::vector<std::unique_ptr<CtaState>>& ctas) const;

 private:
  const isa::KernelLaunch* launch_;
};

}  // namespace heddle::reference
