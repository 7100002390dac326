#pragma once

// States of power domains, for gating policies and schedulers. A power domain is the hardware that one sleep
// transistor switches: a pipeline, lanes of a pipeline, or a register subarray.

#include <bit>
#include <cstdint>
#include <span>

#include "models/core/ids.h"
#include "models/core/lanes.h"

namespace heddle {

/// States of a power domain under power gating (Abdel-Majeed 2016, Fig. 2.5c).
enum class PowerState : std::uint8_t {
  on,             ///< With power: in use, or idle.
  uncompensated,  ///< Without power for less than the break-even time.
  /// Without power for at least the break-even time: each further cycle saves energy.
  compensated,
  /// The supply voltage rises. The domain leaks as if it were on and cannot be used yet.
  wake_up,
};
inline constexpr int kPowerStates = 4;
const char* name_of(PowerState state);

constexpr bool is_gated(PowerState s) {
  return s == PowerState::uncompensated || s == PowerState::compensated;
}

/// Set of power domains of a group. Bit i stands for domain i.
using DomainSet = std::uint32_t;

struct DomainView {
  PowerState state = PowerState::on;
  Cycle since = 0;
  /// For a domain that is on: first cycle of the current idle time. If an operation with a known end is in
  /// the domain, this cycle is in the future. kNever: the end of the operation is unknown.
  Cycle idle_since = 0;
  bool used = false;
  bool in_use() const { return used; }
  bool busy(Cycle now) const { return now < idle_since; }
};

/// Kind of a group of power domains: which domains of the group an operation needs.
enum class DomainKind : std::uint8_t {
  /// Any domain of the group can serve a request. Example: the INT pipelines of an SM partition.
  alternatives,
  /// An operation may need several domains. Example: the lanes of a pipeline, or the subarrays of a bank.
  parts,
};

/// Demand for the power domains of a group in one cycle. `waiting` is a number of warps, `demand` a number of
/// instructions; `wanted` and `spared` are sets of domains.
struct DomainInputs {
  /// Number of active warps whose next instruction needs the group, even if this instruction cannot issue yet
  /// (Abdel-Majeed 2016: INT_ACTV, FP_ACTV).
  int waiting = 0;
  /// Number of instructions that could issue to the group if all its domains were on, limited to the number
  /// of issue slots.
  int demand = 0;
  /// If an operation may need several domains (kind `parts`): domains that a waiting operation needs and that
  /// are not in use yet.
  DomainSet wanted = 0;
  /// If an operation may need several domains (kind `parts`): domains that no operation will need for some
  /// time. Example: the upper lanes during warp folding.
  DomainSet spared = 0;
  bool operator==(const DomainInputs&) const = default;
};

struct DomainGroupView : DomainInputs {
  DomainKind kind = DomainKind::alternatives;
  Cycle now = 0;
  std::span<const DomainView> domains;
  DomainSet awake = 0, gated = 0;
  DomainSet passing = 0;
  DomainSet in_use = 0;
  bool by_name = false;
  DomainSet asked = 0;

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
  DomainSet idle() const { return awake & ~in_use; }
};

}  // namespace heddle
