#pragma once

// Sibling power domains under one gating policy: their state machines (003, Fig. 2.5c), state times and idle
// periods.
//
// Times. In every cycle t with anything to do the owner calls advance(t), which brings the states of cycle t
// into force, then left() for what was in a domain up to t - 1, use() for what is issued in t, and
// set_inputs(). Inputs hold until they are set again, so cycles without calls cost nothing: advance() works
// out what happened in them. A domain is in use from the cycle in which an instruction is issued to it up to
// the last one in which the instruction is in the unit.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "models/core/stats.h"
#include "models/gating/i_gating_policy.h"

namespace heddle {

class DomainGroup {
 public:
  struct Wiring {
    std::string name;                 ///< "int", "fp", "sfu", "ldst": names the domains in statistics
    int domains = 1;                  ///< at most 32
    UnitGatingParameters parameters;  ///< the policy is built from parameters.policy
    bool every_cycle = false;         ///< ask the policy in every single cycle
    StatsScope stats;                 ///< owner of the domains' scopes "<name><i>"
  };
  explicit DomainGroup(const Wiring& wiring);

  /// A kernel begins in `cycle`: all domains are on and empty, and time is accounted from here.
  void begin(Cycle cycle);
  /// Brings the states of cycle `now` into force.
  void advance(Cycle now) {
    while (next_step_ <= now) step(next_step_);
  }
  /// The next cycle in which a state changes if inputs stay as they are; kNever if none does.
  Cycle next_change() const { return next_step_; }

  DomainSet awake() const { return awake_; }
  DomainSet in_use() const { return in_use_; }
  UnitPower power() const { return {all_, awake_, gated_}; }
  /// Grows whenever a state changes.
  std::uint64_t changes() const { return changes_; }

  /// An instruction is issued to a domain in cycle `now`; InternalError if it is not awake.
  void use(Cycle now, int domain);
  /// An instruction was in the domain for the last time in cycle `now - 1`.
  void left(Cycle now, int domain);
  void set_inputs(Cycle now, int waiting, int demand) {
    if (waiting == waiting_ && demand == demand_) return;
    waiting_ = waiting;
    demand_ = demand;
    changed(now);
  }

  /// Accounts state times up to, and not including, `cycle`.
  void settle(Cycle cycle);
  /// Throws InternalError if the state times of a domain do not sum to the cycles since begin().
  void check_conservation() const;

  const DomainView& domain(int i) const { return domains_[static_cast<std::size_t>(i)]; }
  int size() const { return static_cast<int>(domains_.size()); }
  const std::string& name() const { return name_; }
  const UnitGatingParameters& parameters() const { return parameters_; }
  const GatingPolicy& policy() const { return *policy_; }
  /// Puts another policy in the place of the present one, which it returns: for co-simulation, before
  /// begin().
  std::unique_ptr<GatingPolicy> exchange_policy(std::unique_ptr<GatingPolicy> policy);

  /// Idle periods are counted in ranges of their length; the lower bounds, the last range is open.
  static constexpr std::array<int, 14> kIdleRanges{1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 24, 32, 64};

 private:
  struct Account {
    std::array<Counter*, kPowerStates> state{};
    Counter *idle, *sleeps, *wake_ups, *early, *critical;
    Counter *short_periods, *middle_periods, *long_periods;
    std::array<Counter*, kIdleRanges.size()> ranges{};
    int users = 0;        ///< instructions in it
    Cycle idle_from = 0;  ///< first cycle since the last use, gated ones included
    Cycle to = 0;         ///< accounted up to here
  };
  void changed(Cycle now) {
    if (!never_gates_ && in_use_ != all_ && next_step_ > now + 1) next_step_ = now + 1;
  }
  void step(Cycle now);
  Cycle next_transition() const;
  void enter(std::size_t i, PowerState state, Cycle now);
  void account(std::size_t i, Cycle cycle);
  void end_idle_period(Account& account, Cycle length);

  std::string name_;
  UnitGatingParameters parameters_;
  bool every_cycle_;
  std::unique_ptr<GatingPolicy> policy_;
  std::vector<DomainView> domains_;
  std::vector<Account> accounts_;
  DomainSet all_ = 0, awake_ = 0, gated_ = 0, in_use_ = 0;
  int waiting_ = 0, demand_ = 0;
  bool never_gates_ = true;
  std::uint64_t changes_ = 0;
  Cycle settled_ = 0;
  Cycle next_step_ = kNever;        ///< no state changes before this cycle
  std::uint64_t total_cycles_ = 0;  ///< of all kernels, settled
};

}  // namespace heddle
