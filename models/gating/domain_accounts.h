#pragma once

// What is counted of the domains of a group: times in states, idle periods, sleeps and wake-ups. Alternatives have
// counters each, with their idle periods; parts have one set together, in domain-cycles.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "models/core/power_state.h"
#include "models/core/stats.h"
#include "models/ports/power_domains.h"

namespace heddle {

/// Constructor argument of a group of domains.
struct DomainGroupWiring {
  std::string name;  ///< "int": counters stand in scope "<name><i>", those of parts in "<name>"
  int domains = 1;   ///< at most 32
  DomainGroupParameters parameters;  ///< the policy is built from parameters.policy
  bool every_cycle = false;          ///< call the policy in every cycle
  StatsScope stats;                  ///< owner of those scopes
  DomainKind kind = DomainKind::alternatives;
  DomainAgenda* agenda = nullptr;  ///< of groups that are advanced together; nullptr: its own
};

class DomainAccounts {
 public:
  /// Idle periods are counted in ranges of their length; the lower bounds, the last range is open.
  static constexpr std::array<int, 14> kIdleRanges{1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 24, 32, 64};

  /// `least_gated`: cycles after which, at the earliest, a wake-up counts as critical.
  DomainAccounts(const DomainGroupWiring& wiring, Cycle least_gated);

  /// A kernel begins in `cycle`: time is accounted from here.
  void begin(Cycle cycle);
  /// Domain `i` has been what `was` shows up to now, and enters `state`. InternalError if it has not been waking up for
  /// as long as it takes before it is on.
  void enters(Cycle now, std::size_t i, const DomainView& was, PowerState state);
  /// Its use begins, or goes on for longer: it was idle from `idle_from` on, which may lie ahead.
  void used(Cycle now, std::size_t i, const DomainView& was, Cycle idle_from) {
    count(i, was, now);
    if (now > idle_from && !periods_.empty()) end_idle_period(periods_[i], now - idle_from);
    domains_[i].fresh = false;
  }
  void left(Cycle now, std::size_t i, const DomainView& was) { count(i, was, now); }

  /// Up to, and not including, `cycle`; the states are those before it.
  void settle(Cycle cycle, std::span<const DomainView> views);
  Cycle settled() const { return settled_; }
  /// Throws InternalError if the state times of a domain (of all, where they are parts) do not sum to the
  /// cycles since begin().
  void check_conservation() const;

 private:
  struct Counters {
    std::array<Counter*, kPowerStates> state{};
    Counter *idle = nullptr, *sleeps = nullptr, *wake_ups = nullptr, *early = nullptr, *critical = nullptr,
            *unused = nullptr;
  };
  struct IdlePeriods {
    Counter *short_periods = nullptr, *middle_periods = nullptr, *long_periods = nullptr;
    std::array<Counter*, kIdleRanges.size()> ranges{};
  };
  struct Domain {
    bool fresh = false;    ///< woken, and not used since
    Cycle gated_from = 0;  ///< first cycle of the last gated time
    Cycle to = 0;          ///< accounted up to here
    /// Cycles accounted after the end of a kernel, in which the owner was still at work (write-backs of the
    /// last warps), of all kernels before the present one.
    std::uint64_t beyond = 0;
  };
  static Counters counters_in(const StatsScope& scope, const std::string& cycles);
  static IdlePeriods idle_periods_in(const StatsScope& scope);
  Counters& counters_of(std::size_t i) { return counters_[parts_ ? 0 : i]; }
  void count(std::size_t i, const DomainView& was, Cycle cycle);
  void end_idle_period(IdlePeriods& periods, Cycle length);

  std::string name_;
  bool parts_;
  Cycle idle_detect_, break_even_, wake_up_, least_gated_;
  std::vector<Domain> domains_;
  std::vector<Counters> counters_;    ///< a domain; of parts, one
  std::vector<IdlePeriods> periods_;  ///< a domain; of parts, none
  Cycle settled_ = 0;
  std::uint64_t total_cycles_ = 0;  ///< of all kernels, settled
};

}  // namespace heddle
