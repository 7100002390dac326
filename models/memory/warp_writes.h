#pragma once

// Counts the outstanding memory operations and writes of each warp. The warp's fences and release operations
// wait for both counts to become zero. A fence of CTA scope waits only for the memory operations.

#include <algorithm>
#include <vector>

#include "models/core/ids.h"
#include "models/isa/instruction.h"
#include "models/ports/in_flight.h"

namespace heddle {

class WarpWrites {
 public:
  explicit WarpWrites(int warps)
      : operations_(static_cast<std::size_t>(warps)), unacknowledged_(static_cast<std::size_t>(warps)) {}

  void began(WarpId warp) { ++operations_[warp.value]; }
  void finished(WarpId warp) { --operations_[warp.value]; }
  void sent(WarpId warp) { ++unacknowledged_[warp.value]; }
  void acknowledged(WarpId warp) { --unacknowledged_[warp.value]; }

  bool none(WarpId warp) const { return operations_[warp.value] == 0 && unacknowledged_[warp.value] == 0; }
  bool fence_done(const InFlight& fence) const {
    return none(fence.warp()) ||
           (operations_[fence.warp().value] == 0 && fence.instruction->memory.scope == isa::Scope::cta);
  }

 private:
  std::vector<std::uint32_t> operations_, unacknowledged_;
};

}  // namespace heddle
