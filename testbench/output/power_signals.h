#pragma once

// The states of an SM's power domains as signals, for waveforms and timelines.

#include <cstdint>
#include <string>
#include <vector>

#include "models/gating/issue_power.h"
#include "models/sm/sm.h"

namespace heddle::output {

struct PowerSignal {
  /// name of the signal, such as "partition0.int1.power", "partition0.fp0.power_halves_1" or
  /// "load_store.power"
  std::string name;
  const DomainGroup* group;
  int domain;

  std::uint64_t state() const { return static_cast<std::uint64_t>(group->domain(domain).state); }
};

/// Returns one signal for a unit that is gated as a whole. If parts of the unit are gated separately, returns
/// one signal for each part. Returns no signals for a unit without a gating policy.
std::vector<PowerSignal> power_signals(const UnitDomains& domains, std::size_t unit, const std::string& name);

/// Returns the SM's power domains; nullptr if the SM has none, because another module decides which units accept
/// instructions (Sm::Context::availability).
SmPowerDomains* power_domains_of(Sm& sm);
std::vector<PowerSignal> power_signals(Sm& sm);

}  // namespace heddle::output
