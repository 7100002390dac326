#pragma once

// Power domains under one gating policy (power_domains.h says how their owner drives them): their state
// machines (003, Fig. 2.5c), state times and idle periods. Alternatives have counters each, with their idle
// periods; parts have one set together, in domain-cycles.

#include <array>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/gating/i_gating_policy.h"

namespace heddle {

class DomainGroup;

/// Probe point: every decision of a group's policy, with the view of the cycle that has just ended, and the
/// beginning of a kernel, told with the cycle before its first.
struct GatingProbeView {
  Cycle now = 0;
  bool begins = false;    ///< a kernel begins with the cycle after `now`; the rest is empty
  DomainGroupView group;  ///< what the policy has decided on
};
struct GatingPoint {
  using Owner = DomainGroup;
  using View = GatingProbeView;
  using Answer = GatingDecision;
  static constexpr bool kEndOfCycle = true;
};

class DomainGroup final : public PowerDomains {
 public:
  struct Wiring {
    std::string name;  ///< "int": counters stand in scope "<name><i>", those of parts in "<name>"
    int domains = 1;   ///< at most 32
    DomainGroupParameters parameters;  ///< the policy is built from parameters.policy
    bool every_cycle = false;          ///< ask the policy in every single cycle
    StatsScope stats;                  ///< owner of those scopes
    DomainKind kind = DomainKind::alternatives;
    bool issue_wakes = false;  ///< UnitGatingParameters::wake_on
  };
  /// Throws Error if the policy cannot serve domains of this kind.
  explicit DomainGroup(const Wiring& wiring);

  /// A kernel begins in `cycle`: all domains are on and empty, and time is accounted from here.
  void begin(Cycle cycle);
  void advance(Cycle now) override {
    while (next_step_ <= now) step(next_step_);
  }
  Cycle next_change() const override { return next_step_; }

  DomainSet all() const { return all_; }
  DomainSet awake() const override { return awake_; }
  /// That may be used: those awake; where issue wakes, those that wake up and those that the policy lets an
  /// instruction issue to, too.
  DomainSet takes() const { return takes_; }
  DomainSet in_use() const override { return in_use_; }
  DomainSet gated() const { return gated_; }
  /// Grows whenever a state changes.
  std::uint64_t changes() const { return changes_; }

  void use(Cycle now, DomainSet domains) override { use(now, domains, kNever); }
  /// Its owner knows for how long the user keeps it busy: idle time counts from `busy_until` on, though it can
  /// be gated only when the user has left. kNever: until it leaves. Where issue wakes, one that is not awake
  /// is called: it wakes, and is in use, and busy for as long, from the cycle in which it is on.
  void use(Cycle now, DomainSet domains, Cycle busy_until) {
    if (const DomainSet asleep = domains & ~awake_) [[unlikely]] {
      call(now, asleep, busy_until);
      domains &= awake_;
    }
    for (DomainSet rest = domains; rest; rest &= rest - 1)
      book(now, static_cast<std::size_t>(std::countr_zero(rest)), busy_until);
  }
  /// Of one domain, by its number.
  void use_one(Cycle now, int domain, Cycle busy_until) {
    if (!(awake_ >> domain & 1)) [[unlikely]]
      return call(now, DomainSet{1} << domain, busy_until);
    book(now, static_cast<std::size_t>(domain), busy_until);
  }
  /// What uses them was let in with cycle `at`: InternalError if one of them was not on in that cycle.
  void entered(Cycle at, DomainSet domains) const;
  void one_left(Cycle now, int domain) {
    const auto i = static_cast<std::size_t>(domain);
    if (--accounts_[i].users <= 0) end_use(now, i);
  }
  void left(Cycle now, DomainSet domains) override {
    for (DomainSet rest = domains; rest; rest &= rest - 1) one_left(now, std::countr_zero(rest));
  }
  void set_inputs(Cycle now, const DomainInputs& inputs) override {
    if (inputs == inputs_) return;
    inputs_ = inputs;
    changed(now);
  }

  /// Accounts state times up to, and not including, `cycle`.
  void settle(Cycle cycle);
  /// Throws InternalError if the state times of a domain (of all, where they are parts) do not sum to the
  /// cycles since begin().
  void check_conservation() const;

  const DomainView& domain(int i) const { return domains_[static_cast<std::size_t>(i)]; }
  int size() const { return static_cast<int>(domains_.size()); }
  const std::string& name() const { return name_; }
  DomainKind kind() const { return kind_; }
  bool issue_wakes() const { return issue_wakes_; }
  const DomainGroupParameters& parameters() const { return parameters_; }
  const GatingPolicy& policy() const { return *policy_; }
  void probes(const ProbeScope& scope) { scope.add(probe_); }

  /// Idle periods are counted in ranges of their length; the lower bounds, the last range is open.
  static constexpr std::array<int, 14> kIdleRanges{1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 24, 32, 64};

 private:
  struct Counters {
    std::array<Counter*, kPowerStates> state{};
    Counter *idle = nullptr, *sleeps = nullptr, *wake_ups = nullptr, *early = nullptr, *critical = nullptr,
            *unused = nullptr, *calls = nullptr;
  };
  struct IdlePeriods {
    Counter *short_periods = nullptr, *middle_periods = nullptr, *long_periods = nullptr;
    std::array<Counter*, kIdleRanges.size()> ranges{};
  };
  struct Account {
    int users = 0;
    bool fresh = false;    ///< woken, and not used since
    Cycle idle_from = 0;   ///< first idle cycle since the last use, gated ones included; kNever while in use
    Cycle gated_from = 0;  ///< first cycle of the last gated time
    Cycle called_for =
        0;         ///< cycles for which those that have called it will keep it busy; kNever: not known
    Cycle to = 0;  ///< accounted up to here
    /// Cycles accounted behind the end of a kernel, in which the owner was still at work (write-backs of the
    /// last warps), of all kernels before the present one.
    std::uint64_t beyond = 0;
  };
  static Counters counters_in(const StatsScope& scope, const std::string& cycles);
  static IdlePeriods idle_periods_in(const StatsScope& scope);
  Counters& counters_of(std::size_t i) { return counters_[kind_ == DomainKind::parts ? 0 : i]; }
  void book(Cycle now, std::size_t i, Cycle busy_until) {
    const bool used = accounts_[i].users++ > 0;
    if (!used || accounts_[i].idle_from != kNever) begin_use(now, i, used, busy_until);
  }
  void changed(Cycle now) {
    if (!never_gates_ && in_use_ != all_ && next_step_ > now + 1) next_step_ = now + 1;
  }
  void begin_use(Cycle now, std::size_t i, bool used, Cycle busy_until);
  void call(Cycle now, DomainSet domains, Cycle busy_until);
  void renew_takes(Cycle now);
  void end_use(Cycle now, std::size_t i);
  void step(Cycle now);
  Cycle next_transition() const;
  void enter(std::size_t i, PowerState state, Cycle now);
  void account(std::size_t i, Cycle cycle);
  void end_idle_period(IdlePeriods& periods, Cycle length);
  [[noreturn]] void refuse_use(Cycle now, DomainSet domains) const;

  std::string name_;
  DomainGroupParameters parameters_;
  bool every_cycle_;
  DomainKind kind_;
  std::unique_ptr<GatingPolicy> policy_;
  Probe<GatingPoint> probe_{*this};
  std::vector<DomainView> domains_;
  std::vector<Account> accounts_;
  std::vector<Counters> counters_;    ///< a domain; of parts, one
  std::vector<IdlePeriods> periods_;  ///< a domain; of parts, none
  DomainSet all_ = 0, awake_ = 0, takes_ = 0, gated_ = 0, in_use_ = 0;
  DomainSet called_ = 0;  ///< used, and not on yet
  bool issue_wakes_;
  Cycle takes_again_ = kNever;  ///< when takes_ may differ though no state changes
  DomainInputs inputs_;
  bool never_gates_ = true;
  std::uint64_t changes_ = 0;
  Cycle settled_ = 0;
  Cycle next_step_ = kNever;        ///< no state changes before this cycle
  std::uint64_t total_cycles_ = 0;  ///< of all kernels, settled
};

}  // namespace heddle
