#pragma once

// What policies share: which gated domains have to wake for the instructions that wait for them.

#include "models/core/power_state.h"

namespace heddle {

/// Domains of `candidates` to wake so that as many are awake or waking as instructions ask for one;
/// compensated ones first, then those with the lowest number (the papers don't say which). Of parts, those
/// that are wanted.
inline DomainSet wanted_of(const DomainGroupView& view, DomainSet candidates) {
  const bool parts = view.kind == DomainKind::parts;
  if (parts ? view.wanted == 0 : view.demand == 0) return 0;
  const DomainSet compensated = candidates & view.in_state(PowerState::compensated);
  const DomainSet uncompensated = candidates & view.in_state(PowerState::uncompensated);
  if (parts) return view.wanted & (compensated | uncompensated);
  int missing = view.demand;
  for (const DomainView& d : view.domains) missing -= !is_gated(d.state);
  if (missing <= 0) return 0;
  DomainSet wake = 0;
  for (DomainSet pool : {compensated, uncompensated})
    for (; pool && missing > 0; pool &= pool - 1, --missing) wake |= pool & -pool;
  return wake;
}

}  // namespace heddle
