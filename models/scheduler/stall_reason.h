#pragma once

// Why issue slots stay idle.

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// Exactly one reason a slot, the first that matches in this order. Reasons of constraints' own (see
/// IssueConstraint::own_reason) come between `no_unit` and `structural`, in the order of the constraints.
enum class StallReason : std::uint8_t {
  no_warp,     ///< the scheduler has no resident warp
  no_pair,     ///< the first slot issued, but nothing could issue beside it
  inactive,    ///< a warp is ready, but the policy holds it back (no active slot, another group)
  no_unit,     ///< a warp could issue, but no unit of its class takes instructions: "gated"
  structural,  ///< a warp is held back by another constraint than the scoreboard: no free collector
  dependence,  ///< a warp waits for a short-latency result, a pending read, or its memory accesses before a
               ///< barrier
  texture,     ///< a warp waits for a texture look-up
  memory,      ///< a warp waits for another long-latency result
  fetch,       ///< a warp has no decoded instruction
  barrier,     ///< all that is left waits at barriers
  fence,       ///< all that is left waits for fences
  count_
};
const char* name_of(StallReason reason);

/// The reasons of an SM by number: the built-in ones in the order of StallReason, then its constraints' own, sorted, each once.
std::vector<std::string> stall_reason_names(std::vector<std::string> own = {});

}  // namespace heddle
