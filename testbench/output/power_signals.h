#pragma once

// States of an SM's power domains as signals, for waveforms and timelines.

#include <cstdint>
#include <string>
#include <vector>

#include "models/gating/issue_power.h"
#include "models/sm/sm.h"

namespace heddle::output {

struct PowerSignal {
  /// Name of the signal, such as "partition0.int1.power", "partition0.fp0.power_halves_1" or
  /// "load_store.power".
  std::string name;
  const DomainGroup* group;
  int domain;

  /// Returns the number of the domain's PowerState.
  std::uint64_t state() const { return static_cast<std::uint64_t>(group->domain(domain).state); }
};

/// Returns the power signals of unit number `unit`, called `name`: the signal of its domain, or of the
/// domains of the unit's parts. A unit that is never gated has no power signal.
std::vector<PowerSignal> power_signals(const UnitDomains& domains, std::size_t unit, const std::string& name);

/// Returns the power domains of an SM's units. nullptr if something other than power gating decides which units
/// accept instructions (Sm::Context::availability).
SmPowerDomains* power_domains_of(Sm& sm);
/// Returns all power signals of an SM. Without power domains there are none.
std::vector<PowerSignal> power_signals(Sm& sm);

}  // namespace heddle::output
