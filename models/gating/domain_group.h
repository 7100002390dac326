#pragma once

// Models a group of power domains under one gating policy: the state machine of each domain (Abdel-Majeed 2016,
// Fig. 2.5c) and the operations that use the domain.

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "models/core/probe.h"
#include "models/gating/domain_accounts.h"
#include "models/gating/domain_states.h"
#include "models/gating/domain_users.h"
#include "models/gating/i_gating_policy.h"

namespace heddle {

class DomainGroup;

/// Probe point of every decision of a gating policy. The point receives the group's state at the end of cycle
/// `now`. At the start of a kernel, `now` is the cycle before the kernel.
struct GatingProbeView {
  Cycle now = 0;
  bool begins = false;
  DomainGroupView group;
};
struct GatingPoint {
  using Owner = DomainGroup;
  using View = GatingProbeView;
  using Answer = GatingDecision;
  static constexpr bool kEndOfCycle = true;
};

class DomainGroup : public PowerDomains, public DomainStates {
 public:
  using Wiring = DomainGroupWiring;
  /// Throws Error if the gating policy cannot serve power domains of this kind: alternatives (an instruction
  /// needs any one of them) or parts (an instruction needs all parts that it uses).
  explicit DomainGroup(const Wiring& wiring);

  /// Called when a kernel begins in `cycle`. Sets all power domains to on and unused.
  void begin(Cycle cycle);
  void advance(Cycle now) final {
    while (next_step_ <= now) step(next_step_);
  }
  Cycle next_change() const final { return next_step_; }

  DomainSet awake() const override { return awake_; }
  /// True if an instruction may issue to a power domain that is off. The issue then wakes the domain.
  virtual bool takes_asleep() const { return false; }
  DomainSet in_use() const override { return in_use_; }

  void use(Cycle now, DomainSet domains) final { use(now, domains, kNever); }
  /// Adds a user (an operation that needs the domain) to each of the power domains `domains`. `busy_until`:
  /// cycle from which the domain counts as idle; kNever: the domain counts as idle from the call of left()
  /// on. In both cases, the domain can be gated only after left().
  void use(Cycle now, DomainSet domains, Cycle busy_until) {
    if (const DomainSet asleep = domains & ~awake_) {
      use_asleep(now, asleep, busy_until);
      domains &= awake_;
    }
    users_.add(domains);
    for (DomainSet rest = domains & (~in_use_ | timed_); rest; rest &= rest - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      begin_use(now, i, (in_use_ >> i & 1) != 0, busy_until);
    }
  }
  void use_one(Cycle now, int domain, Cycle busy_until) {
    const DomainSet bit = DomainSet{1} << domain;
    if (!(awake_ & bit)) return use_asleep(now, bit, busy_until);
    const auto i = static_cast<std::size_t>(domain);
    users_.add_one(i);
    const bool used = (in_use_ & bit) != 0;
    if (!used || (timed_ & bit)) begin_use(now, i, used, busy_until);
  }
  void one_left(Cycle now, int domain) {
    const auto i = static_cast<std::size_t>(domain);
    if (users_.remove_one(i)) end_use(now, i);
  }
  void left(Cycle now, DomainSet domains) final;
  void set_inputs(Cycle now, const DomainInputs& inputs) final {
    const bool by_number = wiring_.kind != DomainKind::parts;
    const bool told = inputs.wanted != inputs_.wanted || inputs.spared != inputs_.spared ||
                      (by_number && (inputs.waiting != inputs_.waiting || inputs.demand != inputs_.demand));
    inputs_ = inputs;
    if (told) changed(now);
  }

  void settle(Cycle cycle);
  void check_conservation() const { accounts_.check_conservation(); }

  const Wiring& wiring() const { return wiring_; }
  const GatingPolicy& policy() const { return *policy_; }
  void probes(const ProbeScope& scope) { scope.add(probe_); }

 protected:
  // A derived class (WakingGroup) overrides these functions so that an instruction may issue to a power
  // domain that is off. In DomainGroup itself, such an issue is an error.

  /// Called at the start of a kernel, to forget the issues to domains that were off.
  virtual void begin_calls() {}
  virtual void use_asleep(Cycle now, DomainSet domains, Cycle busy_until);
  virtual void query(DomainGroupView& view) const;
  /// Updates the set of power domains that may be used. Returns the next cycle in which this set may change
  /// although no domain changes its state.
  virtual Cycle renew_takes(Cycle now);
  virtual void is_on(Cycle /*now*/, std::size_t /*domain*/) {}

  DomainGroupView view_of(Cycle now) const;
  void add_users(DomainSet domains) { users_.add(domains); }
  void begin_use(Cycle now, std::size_t i, bool used, Cycle busy_until);
  void changed(Cycle now) {
    if (!never_gates_ && in_use_ != all_ && next_step_ > now + 1) step_in(now + 1);
  }

 private:
  void end_use(Cycle now, std::size_t i);
  void step(Cycle now);
  void step_in(Cycle cycle) {
    next_step_ = cycle;
    agenda_.next = std::min(agenda_.next, cycle);
  }

  Wiring wiring_;
  std::unique_ptr<GatingPolicy> policy_;
  bool never_gates_;
  Probe<GatingPoint> probe_{*this};
  DomainUsers users_;
  /// For each power domain: first idle cycle since its last use; kNever while the end of a use is not known.
  std::vector<Cycle> idle_from_;
  DomainSet timed_ = 0;
  DomainAccounts accounts_;
  DomainInputs inputs_;
  Cycle passes_ = kNever;
  Cycle next_step_ = kNever;
};

}  // namespace heddle
