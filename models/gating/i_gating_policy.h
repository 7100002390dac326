#pragma once

// Interface of the gating policies. A policy decides when the power domains of a group go to sleep and wake
// up. At the end of each cycle `now`, the policy receives the state of the group and decides which domains
// change state at the start of cycle now + 1. The group itself models break-even and wake-up times. The group
// throws InternalError if the policy puts a domain in use to sleep, or wakes a domain that is not gated.
//
// decide() is called after every cycle in which an input or a state has changed, and in the cycle
// GatingDecision::again. In all other cycles the decision must stay the same. If the domains are parts of a
// unit, instructions request individual domains, and the decision must not depend on the numbers `waiting`
// and `demand`.
//
// A domain wakes for waiting instructions, or because an instruction issues to the domain while the domain
// sleeps. may_wake() returns the gated domains to which an instruction may issue.

#include "models/ports/power_domains.h"

namespace heddle {

struct GatingDecision {
  /// Power domains to put to sleep. These domains must be on and not in use.
  DomainSet sleep = 0;
  /// Power domains to wake. They must be gated.
  DomainSet wake = 0;
  /// Next cycle in which the policy's decision may change although no input has changed. The group calls
  /// decide() at the end of this cycle.
  Cycle again = kNever;
};

class GatingPolicy {
 public:
  struct Context {
    int domains = 1;
    DomainGroupParameters parameters;
    DomainKind kind = DomainKind::alternatives;
  };
  static constexpr const char* kFamily = "gating policy";
  static constexpr const char* kPlace = "gpu.sm.gating";
  virtual ~GatingPolicy() = default;

  virtual GatingDecision decide(const DomainGroupView& view) = 0;

  /// Returns the gated power domains to which an instruction may issue in cycle view.now. The inputs in
  /// `view` are from the previous cycle. At the end of the cycle, decide() must wake the domains to which
  /// instructions have issued. `again`: set to the next cycle in which the result may change although no
  /// domain changes its state.
  virtual DomainSet may_wake(const DomainGroupView& view, Cycle& /*again*/) const { return view.gated; }

  /// Returns nullptr if the policy can serve domains of this kind (whole units or parts of units), otherwise
  /// the reason why not. A policy for parts must wake the requested domains and keep them awake.
  virtual const char* refuses(DomainKind kind) const {
    return kind == DomainKind::parts ? "the policy serves alternatives only" : nullptr;
  }
  /// Called when a kernel begins. All power domains are on, and have been idle since `now`.
  virtual void begin(Cycle /*now*/) {}
  /// True if the policy never gates a power domain. If true, decide() is never called.
  virtual bool never_gates() const { return false; }
  virtual int idle_detect_cycles() const { return 0; }
  /// Sets the idle-detect time for all later calls of decide(). A policy without an idle-detect time ignores
  /// this call.
  virtual void set_idle_detect(int /*cycles*/) {}
  /// Smallest number of cycles for which a power domain stays gated. Tests check this guarantee for every
  /// policy.
  virtual Cycle least_gated_cycles() const { return 1; }
  /// True if the policy can wake a power domain that has been gated for exactly the break-even time: a
  /// critical wake-up.
  virtual bool wakes_at_break_even() const { return false; }
  /// If all power domains of the group are gated and an instruction waits for a domain, the policy starts to
  /// wake a domain after at most this number of cycles. If the domains are parts of one unit
  /// (DomainKind::parts), this limit holds for each domain that the instruction needs. Tests check this
  /// guarantee for every policy.
  virtual Cycle longest_wait_cycles() const { return least_gated_cycles(); }
};

}  // namespace heddle
