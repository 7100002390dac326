#pragma once

// Reasons for which an issue slot stays idle.

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// Each idle slot has exactly one reason: the first in this order that applies. Reasons of constraints' own
/// (IssueConstraint::own_reason) come between `unit_unavailable` and `structural`, in the order of the constraints.
enum class StallReason : std::uint8_t {
  no_warp,  ///< the scheduler has no resident warp
  no_pair,  ///< the first slot issued, but no second instruction could issue in the same cycle
  /// A warp is ready, but the policy does not let it issue: no active slot, or the other group goes first.
  inactive,
  unit_unavailable,  ///< a warp could issue, but no unit of its class accepts instructions; named "gated"
  /// A constraint other than the scoreboard blocks a warp, for example because no collector is free.
  structural,
  /// A warp waits for a short-latency result, for a pending read, or before a barrier for its memory
  /// accesses.
  dependence,
  texture,  ///< a warp waits for a texture look-up
  memory,   ///< a warp waits for another long-latency result
  fetch,    ///< a warp has no decoded instruction
  barrier,  ///< all remaining warps wait at barriers
  fence,    ///< all remaining warps wait for fences
  count_
};
const char* name_of(StallReason reason);

/// Returns the reasons of an SM by number: those of StallReason in their order, then the sorted names of its
/// constraints without duplicates.
std::vector<std::string> stall_reason_names(std::vector<std::string> own = {});

}  // namespace heddle
