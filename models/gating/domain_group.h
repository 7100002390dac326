#pragma once

// Models power domains under one gating policy: their state machines (Abdel-Majeed 2016, Fig. 2.5c) and their
// users. power_domains.h defines the calls of their owner. domain_states.h holds the states,
// domain_accounts.h the counters.

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

/// Probe point of every decision of a group's policy, with the view of the completed cycle. The beginning of
/// a kernel is reported too, with the cycle before its first.
struct GatingProbeView {
  Cycle now = 0;
  bool begins = false;    ///< a kernel begins with the cycle after `now`; `group` is empty
  DomainGroupView group;  ///< input of the policy's decision
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
  /// Throws Error if the policy cannot serve domains of this kind.
  explicit DomainGroup(const Wiring& wiring);

  /// A kernel begins in `cycle`. All domains are on and unused, and time is accounted from this cycle on.
  void begin(Cycle cycle);
  void advance(Cycle now) final {
    while (next_step_ <= now) step(next_step_);
  }
  Cycle next_change() const final { return next_step_; }

  DomainSet awake() const override { return awake_; }
  /// True if domains that are not awake may be used.
  virtual bool takes_asleep() const { return false; }
  DomainSet in_use() const override { return in_use_; }

  void use(Cycle now, DomainSet domains) final { use(now, domains, kNever); }
  /// Adds a user to each domain. If the owner knows when the use ends, idle time counts from `busy_until` on.
  /// The domain can still be gated only after left(). kNever: idle time counts from left() on. Domains that
  /// are not awake go to use_asleep().
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
  // Like use() and left(), for one alternative by its number.
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
    // The number of waiting instructions has no meaning for parts, which are requested by name.
    const bool by_number = wiring_.kind != DomainKind::parts;
    const bool told = inputs.wanted != inputs_.wanted || inputs.spared != inputs_.spared ||
                      (by_number && (inputs.waiting != inputs_.waiting || inputs.demand != inputs_.demand));
    inputs_ = inputs;
    if (told) changed(now);
  }

  /// Accounts state times up to `cycle`, which is excluded.
  void settle(Cycle cycle);
  /// Throws InternalError if state times do not sum to the cycles since begin().
  void check_conservation() const { accounts_.check_conservation(); }

  /// Name, kind, parameters and number of domains.
  const Wiring& wiring() const { return wiring_; }
  const GatingPolicy& policy() const { return *policy_; }
  void probes(const ProbeScope& scope) { scope.add(probe_); }

 protected:
  // Hooks for groups whose domains may be used while they are off. By default such a use is an error.
  virtual void begin_calls() {}
  virtual void use_asleep(Cycle now, DomainSet domains, Cycle busy_until);
  /// Sets the requested domains in the policy's view.
  virtual void query(DomainGroupView& view) const;
  /// The states of `now` are valid: updates takes(). Returns the next cycle in which takes() may change
  /// without a change of state.
  virtual Cycle renew_takes(Cycle now);
  virtual void is_on(Cycle /*now*/, std::size_t /*domain*/) {}

  /// View of the group at the end of cycle `now`, or in this cycle.
  DomainGroupView view_of(Cycle now) const;
  void add_users(DomainSet domains) { users_.add(domains); }
  void begin_use(Cycle now, std::size_t i, bool used, Cycle busy_until);
  /// The policy must be called for the end of this cycle.
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
  /// First idle cycle since the last use, gated cycles included; kNever while in use.
  std::vector<Cycle> idle_from_;
  DomainSet timed_ = 0;  ///< domains in use whose end of use is known: idle_from_ is not kNever
  DomainAccounts accounts_;
  DomainInputs inputs_;
  Cycle passes_ = kNever;  ///< first cycle in which a domain of passing_ changes its state without a decision
  Cycle next_step_ = kNever;  ///< no state changes before this cycle
};

}  // namespace heddle
