#pragma once

// Counters of a group of power domains: cycles in each state, idle periods, sleeps and wake-ups. The domains
// of a group are of one of two kinds. Alternatives are whole units, and any of them can execute an
// instruction. Parts are groups of lanes of one unit. Each alternative has its own counters and idle periods.
// Parts share one set of counters, in which a cycle of each part counts as one.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "models/core/power_state.h"
#include "models/core/stats.h"
#include "models/ports/power_domains.h"

namespace heddle {

/// Constructor argument of a group of power domains.
struct DomainGroupWiring {
  /// Name of the group, for example "int". Counters of alternatives are in the scopes "<name>0", "<name>1",
  /// and so on. Counters of parts are in the scope "<name>".
  std::string name;
  int domains = 1;  ///< number of power domains in the group, at most 32
  /// Times of the power domains, and the configuration of the gating policy in parameters.policy.
  DomainGroupParameters parameters;
  bool every_cycle = false;  ///< true if the gating policy must be called in every cycle
  StatsScope stats;          ///< counter scope in which the group creates its counters
  DomainKind kind = DomainKind::alternatives;
  /// State shared with groups that are advanced together with this one; nullptr: the group is alone.
  DomainAgenda* agenda = nullptr;
};

class DomainAccounts {
 public:
  /// Lower bounds of the ranges, in cycles, by which idle periods are counted. The last range has no upper
  /// bound.
  static constexpr std::array<int, 14> kIdleRanges{1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 24, 32, 64};

  /// `least_gated`: a wake-up exactly this many cycles after the start of a sleep counts as critical.
  DomainAccounts(const DomainGroupWiring& wiring, Cycle least_gated);

  /// Starts a kernel. Times in states are counted from `cycle` on.
  void begin(Cycle cycle);
  /// Records that power domain `i` enters `state`. `was` is the domain's state before. Throws InternalError
  /// if the domain is switched on before its wake-up time has passed.
  void enters(Cycle now, std::size_t i, const DomainView& was, PowerState state);
  /// Records that a use of the power domain begins, or is extended. `idle_from`: cycle from which the domain
  /// was idle. It may lie in the future, if the end of a previous use was known in advance.
  void used(Cycle now, std::size_t i, const DomainView& was, Cycle idle_from) {
    count(i, was, now);
    if (now > idle_from && !periods_.empty()) end_idle_period(periods_[i], now - idle_from);
    domains_[i].fresh = false;
  }
  void left(Cycle now, std::size_t i, const DomainView& was) { count(i, was, now); }

  /// Makes the counters exact for all cycles before `cycle`. `views`: states of the power domains before
  /// `cycle`.
  void settle(Cycle cycle, std::span<const DomainView> views);
  Cycle settled() const { return settled_; }
  /// Checks that the cycles in all states of a power domain sum to the cycles since begin(). For parts, the
  /// sum over all parts is checked. Throws InternalError if the numbers differ.
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
    bool fresh = false;    ///< true if the power domain has not been used since it last woke
    Cycle gated_from = 0;  ///< first cycle of the last time that the power domain was gated
    Cycle to = 0;          ///< the counters include all cycles before this one
    /// Cycles counted after the end of earlier kernels. In these cycles the hardware was still working, for
    /// example on write-backs of the last warps.
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
  std::vector<Counters> counters_;    ///< counters of each alternative; for parts, one set for all
  std::vector<IdlePeriods> periods_;  ///< idle periods of each alternative; empty for parts
  Cycle settled_ = 0;
  std::uint64_t total_cycles_ = 0;  ///< sum over all kernels of the cycles that the counters include
};

}  // namespace heddle
