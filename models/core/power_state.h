#pragma once

// Power domains as families show them to each other. A domain is what one sleep transistor switches; what it
// powers (a pipeline, lanes, a register subarray) is the business of whoever owns it.

#include <array>
#include <cstdint>
#include <span>

#include "models/core/ids.h"

namespace heddle {

/// State machine of power gating (003, Fig. 2.5c).
enum class PowerState : std::uint8_t {
  on,             ///< powered: in use, or idle and counting towards idle-detect
  uncompensated,  ///< gated for less than the break-even time
  compensated,    ///< gated for at least the break-even time: every further cycle saves energy
  wake_up,        ///< the supply rises; leaks as when on, cannot be used
};
inline constexpr int kPowerStates = 4;
const char* name_of(PowerState state);

constexpr bool is_gated(PowerState s) {
  return s == PowerState::uncompensated || s == PowerState::compensated;
}

/// Bit i = domain i of a group of siblings.
using DomainSet = std::uint32_t;

/// One domain at the end of a cycle.
struct DomainView {
  PowerState state = PowerState::on;
  Cycle since = 0;       ///< first cycle in this state
  Cycle idle_since = 0;  ///< on and not in use: first cycle of that; kNever while in use
  bool in_use() const { return idle_since == kNever; }
};

/// A group of sibling domains (the INT pipelines of an SM partition's clusters, say) at the end of cycle
/// `now`.
struct DomainGroupView {
  Cycle now = 0;
  std::span<const DomainView> domains;
  int waiting =
      0;  ///< active warps whose next instruction needs the group, ready or not (003: INT_ACTV, FP_ACTV)
  int demand = 0;  ///< instructions that could have issued to it but for the gating, at most the issue slots

  DomainSet in_state(PowerState state) const {
    DomainSet set = 0;
    for (std::size_t i = 0; i < domains.size(); ++i)
      if (domains[i].state == state) set |= DomainSet{1} << i;
    return set;
  }
};

/// What schedulers and issue constraints see of a unit class.
struct UnitPower {
  DomainSet domains = 0;  ///< all there are
  DomainSet awake = 0;    ///< can take instructions
  DomainSet gated = 0;    ///< neither awake nor waking up
};

}  // namespace heddle
