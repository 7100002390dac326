#pragma once

// Power domains as families see them. A domain is the part that one sleep transistor switches; its owner
// defines the hardware in it (a pipeline, lanes, a register subarray).

#include <bit>
#include <cstdint>
#include <span>

#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

/// State machine of power gating (Abdel-Majeed 2016, Fig. 2.5c).
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
  Cycle since = 0;  ///< first cycle in this state
  /// On: first cycle of the present idle time, from which idle-detect counts; kNever while something keeps it
  /// busy for a time not known. Can lie ahead, and in the time of what is in it (PowerDomains::use).
  Cycle idle_since = 0;
  bool used = false;  ///< something is in it: it cannot be gated
  bool in_use() const { return used; }
  bool busy(Cycle now) const { return now < idle_since; }
};

/// Relation between the domains of a group.
enum class DomainKind : std::uint8_t {
  alternatives,  ///< any of them serves: the INT pipelines of an SM partition's clusters
  parts,         ///< each is needed or not by itself: lanes of a pipeline, subarrays of a bank
};

/// Inputs of a group for one cycle. Alternatives are requested by number, parts by name.
struct DomainInputs {
  int waiting = 0;  ///< active warps whose next instruction needs the group, ready or not (Abdel-Majeed 2016:
                    ///< INT_ACTV, FP_ACTV)
  int demand = 0;   ///< instructions that could have issued to it but for the gating, at most the slots
  DomainSet wanted = 0;  ///< parts: what has to be awake for something that waits; not in use yet
  DomainSet spared = 0;  ///< parts: what nothing will use for now, as the owner knows beforehand
  bool operator==(const DomainInputs&) const = default;
};

/// A group of domains at the end of cycle `now`.
struct DomainGroupView : DomainInputs {
  DomainKind kind = DomainKind::alternatives;
  Cycle now = 0;
  std::span<const DomainView> domains;
  // Contents of `domains`, as sets.
  DomainSet awake = 0, gated = 0;
  DomainSet passing = 0;  ///< in a state that ends by itself: uncompensated, or waking up
  DomainSet in_use = 0;
  bool by_name = false;  ///< wake-ups are requested by name instead of number: parts
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
  /// On, and nothing is in them.
  DomainSet idle() const { return awake & ~in_use; }
};

}  // namespace heddle
