#pragma once

// State of power domains, as the families see it. A domain is the hardware that one sleep transistor
// switches: a pipeline, lanes or a register subarray. Its owner defines which.

#include <bit>
#include <cstdint>
#include <span>

#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

/// States of power gating (Abdel-Majeed 2016, Fig. 2.5c).
enum class PowerState : std::uint8_t {
  on,             ///< powered: in use, or idle and counting towards idle-detect
  uncompensated,  ///< gated for less than the break-even time
  compensated,    ///< gated for at least the break-even time, so that each further cycle saves energy
  wake_up,        ///< the supply rises; the domain leaks as when on and cannot be used
};
inline constexpr int kPowerStates = 4;
const char* name_of(PowerState state);

constexpr bool is_gated(PowerState s) {
  return s == PowerState::uncompensated || s == PowerState::compensated;
}

/// Bit i stands for domain i of a group.
using DomainSet = std::uint32_t;

/// State of one domain at the end of a cycle.
struct DomainView {
  PowerState state = PowerState::on;
  Cycle since = 0;  ///< first cycle in this state
  /// In state `on`: first cycle of the current idle time, from which idle-detect counts. kNever if the end of
  /// the use is unknown. May be in the future while an operation is in the domain (PowerDomains::use).
  Cycle idle_since = 0;
  bool used = false;  ///< an operation is in the domain, so it cannot be gated
  bool in_use() const { return used; }
  bool busy(Cycle now) const { return now < idle_since; }
};

/// Relation between the domains of a group.
enum class DomainKind : std::uint8_t {
  alternatives,  ///< any domain can serve a request: the INT pipelines of an SM partition's clusters
  parts,         ///< each domain is needed individually: lanes of a pipeline, subarrays of a bank
};

/// Inputs of a group for one cycle. Alternatives are requested by number, parts by name.
struct DomainInputs {
  /// Active warps whose next instruction needs the group, ready or not (Abdel-Majeed 2016: INT_ACTV, FP_ACTV).
  int waiting = 0;
  /// Instructions that could have issued to the group without gating, at most the number of slots.
  int demand = 0;
  DomainSet wanted = 0;  ///< parts: domains that a waiting operation needs awake but does not use yet
  DomainSet spared = 0;  ///< parts: domains that no operation will use for now, as the owner has determined
  bool operator==(const DomainInputs&) const = default;
};

/// State of a group of domains at the end of cycle `now`.
struct DomainGroupView : DomainInputs {
  DomainKind kind = DomainKind::alternatives;
  Cycle now = 0;
  std::span<const DomainView> domains;
  // States of `domains` as sets.
  DomainSet awake = 0, gated = 0;
  DomainSet passing = 0;  ///< domains in a state with a fixed end: uncompensated or waking up
  DomainSet in_use = 0;
  bool by_name = false;  ///< wake-ups are requested by name (parts) instead of by number
  DomainSet asked = 0;   ///< domains requested by name

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
  /// Domains that are on and contain no operation.
  DomainSet idle() const { return awake & ~in_use; }
};

}  // namespace heddle
