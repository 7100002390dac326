#pragma once

// Reasons for which an issue slot stays idle, in the order of their priority.

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// Reason for which an issue slot stays idle. If several reasons apply, the first reason in the order of this
/// list counts. Reasons that a constraint defines (IssueConstraint::own_reason) come between `unit_unavailable`
/// and `structural`.
enum class StallReason : std::uint8_t {
  no_warp,  ///< the scheduler has no resident warp
  /// The first issue slot of the cycle was used, but no second instruction could issue.
  no_pair,
  /// A warp is ready, but the scheduler policy does not let it issue: it has no active slot, or another group
  /// of warps is preferred.
  inactive,
  /// No execution unit of the instruction's class accepts instructions. Counters name this reason "gated".
  unit_unavailable,
  /// A constraint other than the scoreboard blocks a warp, for example because no operand collector is free.
  structural,
  /// A warp waits for a short-latency result or a pending read.
  dependence,
  texture,  ///< a warp waits for a texture look-up
  memory,   ///< a warp waits for another long-latency result, or for its memory accesses before a barrier
  fetch,    ///< a warp has no decoded instruction in its buffer
  barrier,  ///< all remaining warps wait at barriers
  fence,    ///< all remaining warps wait for memory fences
  /// A warp waits for asynchronous copies (cp.async.wait_group) or in mbarrier.try_wait. Takes precedence
  /// over `barrier` and `fence`.
  async,
  count_
};
const char* name_of(StallReason reason);

/// Returns the names of all stall reasons of an SM, indexed by the reason's number: first the names of
/// StallReason, then the names that constraints define (`own`), in alphabetical order without duplicates.
std::vector<std::string> stall_reason_names(std::vector<std::string> own = {});

}  // namespace heddle
