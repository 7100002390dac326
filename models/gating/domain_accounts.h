#pragma once

// Counters of the domains of a group: times in states, idle periods, sleeps and wake-ups. Domains are
// alternatives (whole units, of which any can execute an instruction) or parts (groups of lanes of one unit).
// Each alternative has its own counters and idle periods. Parts share one set of counters, in domain-cycles.

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
  std::string name;  ///< for example "int": counters are in the scope "<name><i>"; those of parts in "<name>"
  int domains = 1;   ///< number of domains, at most 32
  DomainGroupParameters parameters;  ///< parameters.policy defines the policy
  bool every_cycle = false;          ///< call the policy in every cycle
  StatsScope stats;                  ///< scope in which the counters' scopes are made
  DomainKind kind = DomainKind::alternatives;
  /// Agenda of groups that are advanced together; nullptr: the group has its own.
  DomainAgenda* agenda = nullptr;
};

class DomainAccounts {
 public:
  /// Lower bounds of the ranges of lengths in which idle periods are counted. The last range has no upper
  /// bound.
  static constexpr std::array<int, 14> kIdleRanges{1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 24, 32, 64};

  /// `least_gated`: a wake-up this many cycles after the sleep counts as critical.
  DomainAccounts(const DomainGroupWiring& wiring, Cycle least_gated);

  /// A kernel begins in `cycle`. Time is accounted from this cycle on.
  void begin(Cycle cycle);
  /// Domain `i`, with the view `was` up to now, enters `state`. Throws InternalError if the domain becomes on
  /// before its wake-up time has passed.
  void enters(Cycle now, std::size_t i, const DomainView& was, PowerState state);
  /// A use of the domain begins or is extended. The domain was idle from `idle_from` on, which may be in the
  /// future.
  void used(Cycle now, std::size_t i, const DomainView& was, Cycle idle_from) {
    count(i, was, now);
    if (now > idle_from && !periods_.empty()) end_idle_period(periods_[i], now - idle_from);
    domains_[i].fresh = false;
  }
  void left(Cycle now, std::size_t i, const DomainView& was) { count(i, was, now); }

  /// Makes the counters exact up to `cycle`, which is excluded. `views`: states before `cycle`.
  void settle(Cycle cycle, std::span<const DomainView> views);
  Cycle settled() const { return settled_; }
  /// Throws InternalError if the state times of a domain, or of all parts together, do not sum to the cycles
  /// since begin().
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
    bool fresh = false;    ///< the domain was woken and has not been used since
    Cycle gated_from = 0;  ///< first cycle of the last gated time
    Cycle to = 0;          ///< accounted up to this cycle
    /// Cycles accounted after the end of earlier kernels, in which the owner was still working, for example
    /// on write-backs of the last warps.
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
  std::vector<Counters> counters_;    ///< by domain; parts: one element
  std::vector<IdlePeriods> periods_;  ///< by domain; parts: empty
  Cycle settled_ = 0;
  std::uint64_t total_cycles_ = 0;  ///< settled cycles of all kernels
};

}  // namespace heddle
