#pragma once

// State of power domains, as gating policies and schedulers see it. A power domain is the hardware that one
// sleep transistor switches: a pipeline, lanes of a pipeline, or a register subarray. The module that owns
// the domain defines its extent.

#include <bit>
#include <cstdint>
#include <span>

#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

/// States of a power domain under power gating (Abdel-Majeed 2016, Fig. 2.5c).
enum class PowerState : std::uint8_t {
  on,             ///< power state: in use, or idle and counting towards the idle-detect time
  uncompensated,  ///< power state: without power for less than the break-even time
  /// Power state: without power for at least the break-even time, so that each further cycle saves energy.
  compensated,
  /// Power state: the supply voltage rises; the domain leaks as if it were on and cannot be used yet.
  wake_up,
};
inline constexpr int kPowerStates = 4;
const char* name_of(PowerState state);

constexpr bool is_gated(PowerState s) {
  return s == PowerState::uncompensated || s == PowerState::compensated;
}

/// Set of power domains of a group; bit i stands for domain i.
using DomainSet = std::uint32_t;

/// State of one power domain at the end of a cycle.
struct DomainView {
  PowerState state = PowerState::on;
  Cycle since = 0;  ///< first cycle in the current state
  /// For a domain that is on: first cycle of the current idle time, from which the idle-detect time is
  /// counted. kNever if the end of the domain's use is unknown. The cycle is in the future while an operation
  /// with a known end is in the domain (PowerDomains::use).
  Cycle idle_since = 0;
  bool used = false;  ///< An operation is in the domain, so the domain cannot be gated.
  bool in_use() const { return used; }
  bool busy(Cycle now) const { return now < idle_since; }
};

/// How the power domains of a group are used: as alternatives to each other, or as parts of one unit.
enum class DomainKind : std::uint8_t {
  /// Any power domain of the group can serve a request. Example: the INT pipelines of an SM partition.
  alternatives,
  /// Each power domain is needed for certain operations. Example: the lanes of a pipeline, or the subarrays
  /// of a bank.
  parts,
};

/// Demand for a group of power domains in one cycle. If domains are alternatives, only their number is
/// requested. If they are parts, the request contains the domains themselves.
struct DomainInputs {
  /// Number of active warps whose next instruction needs the group, ready to issue or not (Abdel-Majeed 2016:
  /// INT_ACTV, FP_ACTV).
  int waiting = 0;
  /// Number of instructions that could have issued to the group if no domain were gated; at most the number
  /// of issue slots.
  int demand = 0;
  /// If domains are parts of one unit: those that a waiting operation does not use yet but needs to have
  /// power.
  DomainSet wanted = 0;
  /// If domains are parts of one unit: those that no operation will use for now, as the owner of the group
  /// has determined.
  DomainSet spared = 0;
  bool operator==(const DomainInputs&) const = default;
};

/// State of a group of power domains at the end of cycle `now`.
struct DomainGroupView : DomainInputs {
  DomainKind kind = DomainKind::alternatives;
  Cycle now = 0;
  std::span<const DomainView> domains;
  // Sets of the domains that are on (awake) and without power (gated).
  DomainSet awake = 0, gated = 0;
  DomainSet passing = 0;  ///< domains in a state that ends after a fixed time: uncompensated or waking up
  DomainSet in_use = 0;
  bool by_name = false;  ///< Wake-up requests contain the domains themselves (parts) instead of their number.
  DomainSet asked = 0;   ///< domains that a request contains, if by_name

  DomainSet in_state(PowerState state) const {
    switch (state) {
      case PowerState::on:
        return awake;
      case PowerState::uncompensated:
        return gated & passing;
      case PowerState::compensated:
        return gated & ~passing;
      case PowerState::wake_up:
        break;
    }
    return passing & ~gated;
  }
  /// Returns the domains that are on and contain no operation.
  DomainSet idle() const { return awake & ~in_use; }
};

}  // namespace heddle
