#pragma once

// Creates the descriptions of warp-instructions that the run's observer receives.

#include "models/reference/warp_state.h"

namespace heddle::reference {

class Sight {
 public:
  Sight(const isa::KernelLaunch& launch, const DecodedProgram& decoded, const ReferenceOptions& options)
      : launch_(launch), decoded_(decoded), observer_(options.observer) {}

  ExecutedInstruction view(const WarpState& warp, const DecodedInstruction& d, LaneMask active,
                           LaneMask executing) const {
    return view_of(launch_, decoded_, warp, d, active, executing);
  }
  ExecutedInstruction view(const WarpState& warp, const DecodedInstruction& d, LaneMask executing) const {
    return view(warp, d, warp.stack.active(), executing);
  }
  /// Returns `e` with another instruction. For example, observers see a cp.async (asynchronous copy) as a
  /// load and a store.
  static ExecutedInstruction as(const ExecutedInstruction& e, const isa::Instruction& instruction) {
    return {e.launch,    instruction, e.index,      e.cta, e.warp,  e.active,
            e.executing, e.registers, e.predicates, 0,     nullptr, e.paths};
  }
  /// Notify the run's observer, which must not be nullptr. passed() calls Observer::fenced() for a membar,
  /// and nothing for other instructions. noted() reports a metadata instruction.
  void passed(const WarpState& warp, const DecodedInstruction& d, LaneMask executing) const;
  void noted(const WarpState& warp, const DecodedInstruction& d) const;

 private:
  const isa::KernelLaunch& launch_;
  const DecodedProgram& decoded_;
  Observer* observer_;
};

}  // namespace heddle::reference
