#pragma once

// What policies share: which gated domains have to wake for the instructions that wait for them.

#include "models/core/power_state.h"

namespace heddle {

/// Domains of `candidates` to wake so that as many are awake or waking as instructions ask for one;
/// compensated ones first, then those with the lowest number (the papers don't say which).
inline DomainSet wanted_of(const DomainGroupView& view, DomainSet candidates) {
  if (view.demand == 0) return 0;
  int missing = view.demand;
  for (const DomainView& d : view.domains) missing -= !is_gated(d.state);
  if (missing <= 0) return 0;
  DomainSet wake = 0;
  for (DomainSet pool : {candidates & view.in_state(PowerState::compensated),
                         candidates & view.in_state(PowerState::uncompensated)})
    for (; pool && missing > 0; pool &= pool - 1, --missing) wake |= pool & -pool;
  return wake;
}

}  // namespace heddle
