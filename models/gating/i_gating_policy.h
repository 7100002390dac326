#pragma once

// Family "gating policy": decides when the power domains of a group go to sleep and when they wake up. A
// policy is plain C++.
//
// At the end of each cycle `now`, the policy receives the state of the group. The policy decides which
// domains change state at the start of cycle now + 1. The group (domain_group.h) models break-even and
// wake-up times itself. It throws InternalError if the policy puts a domain in use to sleep, or wakes a
// domain that is not gated.
//
// Cycles in which the decision cannot change are skipped. While some domain is not in use, decide() is called
// after every cycle in which an input or a state has changed, and in the cycle GatingDecision::again. Between
// these calls the decision must stay the same. If a Verilog block checks the policy, decide() is called in
// every cycle. Domains that are parts of a unit are requested individually. For them, the decision must not
// depend on the numbers `waiting` and `demand`, and a change of these numbers causes no call.
//
// Domains wake in one of two ways. Either waiting instructions wake them, or an instruction issues to a
// sleeping domain and wakes it. In the second case may_wake() returns the gated domains that may be used, and
// the policy must wake a used domain in the same cycle.

#include "models/ports/power_domains.h"

namespace heddle {

struct GatingDecision {
  /// Power domains to put to sleep. They must be on and not in use. Their next state is uncompensated.
  DomainSet sleep = 0;
  /// Power domains to wake. They must be gated (uncompensated or compensated). Their next state is wake_up.
  DomainSet wake = 0;
  /// Next cycle at whose end the policy may decide differently, even if no input changes.
  Cycle again = kNever;
};

class GatingPolicy {
 public:
  struct Context {
    int domains = 1;
    /// Idle-detect, break-even and wake-up times; parameters.policy configures the policy itself.
    DomainGroupParameters parameters;
    DomainKind kind = DomainKind::alternatives;
  };
  static constexpr const char* kFamily = "gating policy";
  static constexpr const char* kPlace = "gpu.sm.gating";
  virtual ~GatingPolicy() = default;

  virtual GatingDecision decide(const DomainGroupView& view) = 0;

  /// Returns the gated power domains to which an instruction may issue in cycle view.now. The issue wakes the
  /// domain. The inputs in `view` are those of the previous cycle. If such a domain is requested individually
  /// in this cycle, the policy must wake it in decide() at the end of the cycle. `again`: set to the next
  /// cycle in which the result may change although no state changes.
  virtual DomainSet may_wake(const DomainGroupView& view, Cycle& /*again*/) const { return view.gated; }

  /// Returns the reason why the policy cannot serve power domains of this kind (alternatives or parts), or
  /// nullptr if it can. A policy for parts must wake the requested domains and keep them awake
  /// (wake_choice.h, idle_detect.h).
  virtual const char* refuses(DomainKind kind) const {
    return kind == DomainKind::parts ? "the policy serves alternatives only" : nullptr;
  }
  /// A kernel begins. All power domains are on, and have been idle since `now`.
  virtual void begin(Cycle /*now*/) {}
  /// True if the policy never gates a power domain. The group then never calls decide().
  virtual bool never_gates() const { return false; }
  /// Returns the current idle-detect time in cycles, for reports and waveforms.
  virtual int idle_detect_cycles() const { return 0; }
  /// Sets the idle-detect time that holds from the next decide() on. A policy without an idle-detect time
  /// ignores the call.
  virtual void set_idle_detect(int /*cycles*/) {}
  /// Returns the least number of cycles for which a power domain stays gated. Contract tests check this
  /// guarantee.
  virtual Cycle least_gated_cycles() const { return 1; }
  /// True if the policy can wake a power domain as soon as it has been gated for exactly the break-even time.
  /// A wake-up in this cycle then counts as critical.
  virtual bool wakes_at_break_even() const { return false; }
  /// Returns the largest number of cycles for which all power domains are gated while an instruction waits,
  /// before the policy wakes one. For parts, the limit holds for each requested domain. Contract tests check
  /// this guarantee.
  virtual Cycle longest_wait_cycles() const { return least_gated_cycles(); }
};

}  // namespace heddle
