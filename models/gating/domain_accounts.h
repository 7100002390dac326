#pragma once

// Counters of a group of power domains: cycles in each state, idle periods, sleeps and wake-ups. The domains
// are either alternatives (whole units, any of which can execute an instruction) or parts (groups of lanes of
// one unit). Each alternative has its own counters. All parts share one set of counters.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "models/core/power_state.h"
#include "models/core/stats.h"
#include "models/ports/power_domains.h"

namespace heddle {

struct DomainGroupWiring {
  /// Name of the group, for example "int". The scope of its counters is "int" for parts of a unit. For whole
  /// units, the scopes are "int0", "int1" and so on.
  std::string name;
  int domains = 1;
  DomainGroupParameters parameters;
  bool every_cycle = false;
  StatsScope stats;
  DomainKind kind = DomainKind::alternatives;
  /// If one module advances several groups together (brings the states of their domains to a cycle): the
  /// object that holds the next cycle in which one of these groups must be advanced. nullptr: the group is
  /// advanced alone.
  DomainAgenda* agenda = nullptr;
};

class DomainAccounts {
 public:
  /// Idle periods are counted by their length, in ranges of cycles. These are the lower bounds of the ranges.
  /// The last range has no upper bound.
  static constexpr std::array<int, 14> kIdleRanges{1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 24, 32, 64};

  /// `least_gated`: a wake-up counts as critical if the domain has been without power for exactly this number
  /// of cycles.
  DomainAccounts(const DomainGroupWiring& wiring, Cycle least_gated);

  void begin(Cycle cycle);
  /// Records that power domain `i` enters `state`. `was`: its previous state. Throws InternalError if the
  /// domain is switched on before its wake-up time has passed.
  void enters(Cycle now, std::size_t i, const DomainView& was, PowerState state);
  /// Records that a use of power domain `i` begins or is extended. `idle_from`: first cycle after all earlier
  /// uses; later than `now` if one of these uses has not ended yet.
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
  /// Throws InternalError if the cycles of a power domain, summed over all states, differ from the cycles
  /// since begin(). For parts of a unit, compares the sums over all parts.
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
    bool fresh = false;
    Cycle gated_from = 0;  ///< First cycle of the most recent time without power.
    Cycle to = 0;
    /// Cycles that this domain counted between the end of a kernel and the start of the next kernel, for
    /// example because write-backs were still in progress. Sum over all earlier kernels.
    std::uint64_t beyond = 0;
  };
  static Counters counters_in(const StatsScope& scope, CounterText cycles);
  static IdlePeriods idle_periods_in(const StatsScope& scope);
  Counters& counters_of(std::size_t i) { return counters_[parts_ ? 0 : i]; }
  void count(std::size_t i, const DomainView& was, Cycle cycle);
  void end_idle_period(IdlePeriods& periods, Cycle length);

  std::string name_;
  bool parts_;
  Cycle idle_detect_, break_even_, wake_up_, least_gated_;
  std::vector<Domain> domains_;
  std::vector<Counters> counters_;
  std::vector<IdlePeriods> periods_;
  Cycle settled_ = 0;
  std::uint64_t total_cycles_ = 0;
};

}  // namespace heddle
