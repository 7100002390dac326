#pragma once

// Base classes of gating policies that put a power domain to sleep after the idle-detect time.

#include <algorithm>

#include "models/gating/wake_choice.h"

namespace heddle {

/// Adds to `decision.sleep` the power domains that have been idle for `idle_detect` cycles. Sets
/// decision.again to the cycle in which the next domain reaches this time. Requested parts of a unit stay on,
/// because otherwise an instruction that needs several parts could wait forever.
inline void sleep_after_idle(const DomainGroupView& view, int idle_detect, GatingDecision& decision) {
  for (DomainSet rest = view.idle() & ~view.wanted; rest; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    const Cycle due = view.domains[i].idle_since + static_cast<Cycle>(idle_detect);
    if (view.now + 1 >= due)
      decision.sleep |= DomainSet{1} << i;
    else
      decision.again = std::min(decision.again, due - 1);
  }
}

/// Gating policy with an adjustable idle-detect time, for whole units and parts of units.
class IdleDetectPolicy : public GatingPolicy {
 public:
  explicit IdleDetectPolicy(const Context& context) : idle_detect_(context.parameters.idle_detect_cycles) {}
  int idle_detect_cycles() const override { return idle_detect_; }
  void set_idle_detect(int cycles) override { idle_detect_ = cycles; }
  const char* refuses(DomainKind) const override { return nullptr; }

 protected:
  int idle_detect_;
};

struct BlackoutParameters : WakeParameters {
  std::string least_gated = "break-even-and-one";
  void fields(FieldVisitor& v) {
    WakeParameters::fields(v);
    v.field(
        "least_gated", least_gated, {"break-even-and-one", "break-even"},
        "least cycles in blackout: the wake-up is decided in the first compensated cycle, or in the last one "
        "before it");
  }
};

/// Gating policy that wakes a power domain only after the break-even time has passed (Abdel-Majeed 2016,
/// 3.4).
class BlackoutPolicy : public IdleDetectPolicy {
 public:
  BlackoutPolicy(const BlackoutParameters& p, const Context& context)
      : IdleDetectPolicy(context),
        wait_(p),
        break_even_(static_cast<Cycle>(context.parameters.break_even_cycles)),
        exact_(p.least_gated == "break-even") {}
  Cycle least_gated_cycles() const override { return break_even_ + (exact_ ? 0 : 1); }
  bool wakes_at_break_even() const override { return exact_; }
  DomainSet may_wake(const DomainGroupView& view, Cycle& again) const override {
    return wait_.open(view, paid(view, again), again);
  }
  void begin(Cycle) override { wait_.begin(); }

 protected:
  DomainSet wake(const DomainGroupView& view, GatingDecision& decision) {
    Cycle later = kNever;
    return wanted_of(view, paid(view, later), wait_.demand(view, decision));
  }

 private:
  /// Returns the gated power domains that may wake, because their break-even time has passed or passes at the
  /// end of cycle view.now. Sets `again` to the cycle in which the next break-even time ends.
  DomainSet paid(const DomainGroupView& view, Cycle& again) const {
    DomainSet paid = view.in_state(PowerState::compensated);
    for (std::size_t i = 0; exact_ && i < view.domains.size(); ++i) {
      const DomainView& d = view.domains[i];
      if (d.state != PowerState::uncompensated) continue;
      if (view.now + 1 >= d.since + break_even_)
        paid |= DomainSet{1} << i;
      else
        again = std::min(again, d.since + break_even_ - 1);
    }
    return paid;
  }

  SiblingWait wait_;
  Cycle break_even_;
  bool exact_;
};

}  // namespace heddle
