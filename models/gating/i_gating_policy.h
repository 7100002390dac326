#pragma once

// Family "gating policy": decides when the domains of a group of siblings go to sleep and wake up. Plain C++.
//
// Once a cycle the policy receives the state of the group at the end of cycle `now`. It decides which domains
// change state at the beginning of cycle now + 1. The group (domain_group.h) handles break-even and wake-up
// times itself. It throws InternalError if the policy puts a domain in use to sleep, or wakes a domain that
// is not gated.
//
// Cycles without possible changes are skipped. While some domain is not in use, decide() is called after
// every cycle in which an input or a state changed. It is also called in cycle `again`. Between these calls
// its answer must stay the same. With co-simulation it is called in every cycle. Parts are requested by name.
// For them, no answer may depend on the numbers `waiting` and `demand`, and a change of these numbers causes
// no call.
//
// There are two ways to wake a domain. Either it wakes for waiting instructions, or an instruction issues to
// it while it sleeps. In the second case, may_wake() returns the gated domains that may be used, and the
// policy must wake a used domain in the same cycle.

#include "models/ports/power_domains.h"

namespace heddle {

struct GatingDecision {
  DomainSet sleep = 0;   ///< on and not in use -> uncompensated
  DomainSet wake = 0;    ///< uncompensated or compensated -> wake-up
  Cycle again = kNever;  ///< next cycle at whose end the answer may change if all inputs stay the same
};

class GatingPolicy {
 public:
  struct Context {
    int domains = 1;
    DomainGroupParameters parameters;  ///< times of the group; `policy` is the policy's own configuration
    DomainKind kind = DomainKind::alternatives;
  };
  static constexpr const char* kFamily = "gating policy";
  static constexpr const char* kPlace = "gpu.sm.gating";
  virtual ~GatingPolicy() = default;

  virtual GatingDecision decide(const DomainGroupView& view) = 0;

  /// Returns the gated domains whose sleep may end in cycle view.now, which has begun. Inputs are those of
  /// the previous cycle. A domain that is requested by name in this cycle must be in decide().wake at its
  /// end. `again`: next cycle in which the answer may change without a change of state.
  virtual DomainSet may_wake(const DomainGroupView& view, Cycle& /*again*/) const { return view.gated; }

  /// Reason why the policy cannot serve domains of this kind (alternatives or parts); nullptr if it can. A
  /// policy that serves parts must wake the requested domains and keep them awake (see wake_choice.h and
  /// idle_detect.h).
  virtual const char* refuses(DomainKind kind) const {
    return kind == DomainKind::parts ? "the policy serves alternatives only" : nullptr;
  }
  /// A kernel begins. All domains are on and idle since `now`.
  virtual void begin(Cycle /*now*/) {}
  /// True if the policy never gates a domain. The group then skips the calls.
  virtual bool never_gates() const { return false; }
  /// Current idle-detect time, for reports and waveforms.
  virtual int idle_detect_cycles() const { return 0; }
  /// Sets the idle-detect time from the next decide() on. Policies without one ignore it.
  virtual void set_idle_detect(int /*cycles*/) {}
  /// Guarantee for contract tests: a domain stays gated for at least this many cycles.
  virtual Cycle least_gated_cycles() const { return 1; }
  /// True if this is exactly the break-even time. A wake-up in this cycle is then critical.
  virtual bool wakes_at_break_even() const { return false; }
  /// Guarantee for contract tests: with demand and no domain on or waking up, a domain is woken before all of
  /// them have been gated for more cycles than this. For parts, this holds for each requested domain.
  virtual Cycle longest_wait_cycles() const { return least_gated_cycles(); }
};

}  // namespace heddle
