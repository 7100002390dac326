#pragma once

// Selects the gated power domains that must wake for waiting instructions.

#include <algorithm>
#include <bit>

#include "models/gating/i_gating_policy.h"

namespace heddle {

/// Returns the power domains of `candidates` that must wake, so that `demand` domains are awake or waking up.
/// Domains that have been off for the break-even time (compensated) wake first; among equals, those with the
/// lowest numbers (assumed: the papers do not specify this order). If view.by_name is true, each instruction
/// requests particular domains: returns the candidates among these domains.
inline DomainSet wanted_of(const DomainGroupView& view, DomainSet candidates, int demand) {
  if (view.by_name ? view.asked == 0 : demand == 0) return 0;
  const DomainSet compensated = candidates & view.in_state(PowerState::compensated);
  const DomainSet uncompensated = candidates & view.in_state(PowerState::uncompensated);
  if (view.by_name) return view.asked & (compensated | uncompensated);
  int missing = demand;
  missing -= static_cast<int>(view.domains.size()) - std::popcount(view.gated);
  if (missing <= 0) return 0;
  DomainSet wake = 0;
  for (DomainSet pool : {compensated, uncompensated})
    for (; pool && missing > 0; pool &= pool - 1, --missing) wake |= pool & -pool;
  return wake;
}
inline DomainSet wanted_of(const DomainGroupView& view, DomainSet candidates) {
  return wanted_of(view, candidates, view.demand);
}

struct WakeParameters {
  int sibling_wake_cycles = 1;
  void fields(FieldVisitor& v) {
    v.field("sibling_wake_cycles", sibling_wake_cycles, {1, 1023},
            "cycles in a row with more waiting instructions than domains on or waking up, before a further "
            "sibling wakes; the first sibling wakes at once");
  }
};

/// Delays the wake-up of a second or further domain of a group. A shortage is a cycle in which the waiting
/// instructions outnumber the domains that are on or waking up. The further domain wakes only after
/// sibling_wake_cycles consecutive cycles of shortage.
class SiblingWait {
 public:
  explicit SiblingWait(const WakeParameters& p) : cycles_(static_cast<Cycle>(p.sibling_wake_cycles)) {}

  void begin() { short_since_ = kNever; }
  int demand(const DomainGroupView& view, GatingDecision& decision) {
    if (cycles_ <= 1 || view.kind == DomainKind::parts) return view.demand;
    const auto all = static_cast<int>(view.domains.size());
    const int up = all - std::popcount(view.gated);
    const int at_once = std::max(up, 1);
    if (view.demand <= at_once || up == all) {
      short_since_ = kNever;
      return view.demand;
    }
    short_since_ = std::min(short_since_, view.now);
    if (view.now + 1 >= short_since_ + cycles_) return view.demand;
    decision.again = std::min(decision.again, short_since_ + cycles_ - 1);
    return at_once;
  }

  /// Returns the power domains of `candidates` to which an instruction may issue. A shortage is a cycle in
  /// which the waiting instructions outnumber the domains that are on or waking up. After sibling_wake_cycles
  /// consecutive cycles of shortage, returns all candidates; before that, none. Exception: if all domains are
  /// gated, returns the one domain that would wake first. `again`: set to the next cycle in which the result
  /// may change.
  DomainSet open(const DomainGroupView& view, DomainSet candidates, Cycle& again) const {
    if (cycles_ <= 1 || view.kind == DomainKind::parts) return candidates;
    if (short_since_ != kNever) {
      if (view.now + 1 >= short_since_ + cycles_) return candidates;
      again = std::min(again, short_since_ + cycles_ - 1);
    }
    if (std::popcount(view.gated) != static_cast<int>(view.domains.size())) return 0;
    const DomainSet compensated = candidates & view.in_state(PowerState::compensated);
    const DomainSet pool = compensated ? compensated : candidates;
    return pool & (~pool + 1);
  }

 private:
  Cycle cycles_;
  /// First cycle of the current shortage: consecutive cycles in which the waiting instructions outnumber the
  /// domains that are on or waking up. kNever: there was no shortage in the last cycle.
  Cycle short_since_ = kNever;
};

}  // namespace heddle
