#pragma once

// What policies share: domains that have been idle for the idle-detect time.

#include <algorithm>

#include "models/gating/i_gating_policy.h"

namespace heddle {

/// Whether domain `d` has been idle for `idle_detect` cycles at the end of cycle `now`.
inline bool idle_long_enough(const DomainView& d, Cycle now, int idle_detect) {
  return d.state == PowerState::on && !d.in_use() &&
         now + 1 >= d.idle_since + static_cast<Cycle>(idle_detect);
}

/// Adds the domains that have been idle for `idle_detect` cycles to `decision.sleep`, and the cycle in which
/// the next one will have been. Parts that are wanted stay on: an instruction that needs several of them, gated at
/// different times, could otherwise wait for ever.
inline void sleep_after_idle(const DomainGroupView& view, int idle_detect, GatingDecision& decision) {
  for (std::size_t i = 0; i < view.domains.size(); ++i) {
    const DomainView& d = view.domains[i];
    if (view.wanted >> i & 1) continue;
    if (idle_long_enough(d, view.now, idle_detect))
      decision.sleep |= DomainSet{1} << i;
    else if (d.state == PowerState::on && !d.in_use())
      decision.again = std::min(decision.again, d.idle_since + static_cast<Cycle>(idle_detect) - 1);
  }
}

/// A policy with an idle-detect time that can be adapted. Serves every kind of domain.
class IdleDetectPolicy : public GatingPolicy {
 public:
  explicit IdleDetectPolicy(const Context& context) : idle_detect_(context.parameters.idle_detect_cycles) {}
  int idle_detect_cycles() const override { return idle_detect_; }
  void set_idle_detect(int cycles) override { idle_detect_ = cycles; }
  const char* refuses(DomainKind) const override { return nullptr; }

 protected:
  int idle_detect_;
};

/// One that wakes domains from the compensated state only (003, 3.4): the wake-up is decided in such a cycle.
class BlackoutPolicy : public IdleDetectPolicy {
 public:
  explicit BlackoutPolicy(const Context& context)
      : IdleDetectPolicy(context), break_even_(context.parameters.break_even_cycles) {}
  Cycle least_gated_cycles() const override { return static_cast<Cycle>(break_even_) + 1; }

 private:
  int break_even_;
};

}  // namespace heddle
