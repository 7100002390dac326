#pragma once

// Family "gating policy": when the domains of a group of siblings go to sleep and wake up. Plain C++.
//
// Once a cycle the policy sees the group at the end of cycle `now` and decides which domains change state
// with the beginning of cycle now + 1. The group (domain_group.h) does the rest: break-even and wake-up times
// pass by themselves. Putting a domain in use to sleep, or waking a domain that is not gated, is an
// InternalError.
//
// Cycles without possible changes are skipped: decide() is called at least in every cycle after a change of
// an input or a state while some domain is not in use, and in cycle `again`. Until then its answer must stay
// the same. With co-simulation it is called in every cycle. Parts are requested by name: for them, no answer
// may depend on the numbers `waiting` and `demand`, and a change of these causes no call.
//
// A domain wakes for waiting instructions; or an instruction uses it while it sleeps, which ends the sleep.
// In the second case the policy says with may_wake() which gated domains may be used, and has to wake a used
// one in the same cycle.

#include "models/ports/power_domains.h"

namespace heddle {

struct GatingDecision {
  DomainSet sleep = 0;   ///< on and not in use -> uncompensated
  DomainSet wake = 0;    ///< uncompensated or compensated -> wake-up
  Cycle again = kNever;  ///< next cycle at whose end the answer may differ if all inputs stay the same
};

class GatingPolicy {
 public:
  struct Context {
    int domains = 1;
    DomainGroupParameters parameters;  ///< its times; `policy` is the policy's own choice
    DomainKind kind = DomainKind::alternatives;
  };
  static constexpr const char* kFamily = "gating policy";
  static constexpr const char* kPlace = "gpu.sm.gating";
  virtual ~GatingPolicy() = default;

  virtual GatingDecision decide(const DomainGroupView& view) = 0;

  /// Gated domains whose sleep may end in cycle view.now, which has begun (inputs are those of the previous
  /// cycle). A domain that is requested by name in it is in decide().wake at its end. `again`: the next cycle
  /// in which the answer may differ if no state changes.
  virtual DomainSet may_wake(const DomainGroupView& view, Cycle& /*again*/) const { return view.gated; }

  /// Reason why the policy cannot serve domains of this kind; nullptr: it can. A policy that serves parts
  /// wakes the domains that the view requests, and keeps them awake (as wake_choice.h and idle_detect.h do).
  virtual const char* refuses(DomainKind kind) const {
    return kind == DomainKind::parts ? "the policy knows alternatives only" : nullptr;
  }
  /// A kernel begins: all domains are on, idle since `now`.
  virtual void begin(Cycle /*now*/) {}
  /// True if the policy never gates anything: the group then skips the calls.
  virtual bool never_gates() const { return false; }
  /// The idle-detect time in force, for reports and waveforms.
  virtual int idle_detect_cycles() const { return 0; }
  /// Another idle-detect time, from the next decide() on; policies without one ignore it.
  virtual void set_idle_detect(int /*cycles*/) {}
  /// Promise about gated time, for contract tests: a domain stays gated for at least this many cycles.
  virtual Cycle least_gated_cycles() const { return 1; }
  /// True if that is exactly the break-even time: a wake-up is then critical in that cycle.
  virtual bool wakes_at_break_even() const { return false; }
  /// Promise about waiting: with demand and no domain on or waking up, one is woken before all of them have
  /// been gated for more cycles than this; for parts, each requested one.
  virtual Cycle longest_wait_cycles() const { return least_gated_cycles(); }
};

}  // namespace heddle
