#pragma once

// The energy account of a run binds technologies to the counters and the configuration of one GPU. The
// account evaluates patterns and prices once. Each report then takes one pass over the counters. The models
// of the hardware never call the account: the account reads only their counters.

#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/stats.h"
#include "power/bound_account.h"
#include "power/energy_report.h"
#include "power/technology.h"

namespace heddle::power {

class EnergyAccount {
 public:
  /// Binds the technologies to the counters, and evaluates their prices. `configuration`: tree of the run's
  /// parameters, including gpu.core_clock_mhz. The registry must already contain all counters. If one
  /// technology extends another, only the extending technology is used. Exactly one technology prices each
  /// event (owners.h). Therefore, no event is counted twice, and the order of technologies has no effect.
  /// Throws Error if an entry that is not optional has no counters, or if the run lacks a parameter. Also
  /// throws Error if technologies of equal rank price an event differently.
  EnergyAccount(std::vector<Technology> technologies, const ConfigNode& configuration,
                const StatsRegistry& registry);
  EnergyAccount(const EnergyAccount&) = delete;  ///< not copyable: reports point into the account
  EnergyAccount& operator=(const EnergyAccount&) = delete;

  /// Returns the energy that was spent during `cycles` cycles. `values`: increments of the counters in these
  /// cycles, in the order of StatsRegistry::counters().
  EnergyReport report(const std::vector<std::uint64_t>& values, Cycle cycles) const;
  /// Returns only the energies of report(), without `shares` and derived fields. Much faster than report(),
  /// for runs with many intervals.
  EnergyReport balances(const std::vector<std::uint64_t>& values, Cycle cycles) const;

  /// Makes the cycle checks that the technologies list. Throws InternalError if the cycles in all states of a
  /// unit do not sum to the launch's cycles.
  void check_cycles(const std::vector<std::uint64_t>& values, Cycle cycles) const;

  struct PricedCounter {
    std::size_t entry = 0;  ///< number of the entry in EnergyReport::entries
    std::size_t counter =
        0;  ///< index in StatsRegistry::counters(); kCycles: cycles of the reported launch, run or interval
    double pj_each = 0;
  };
  /// Returns the counters of all entries. The energy of a report is a sum over these counters: the increment
  /// of each counter times the counter's price.
  std::vector<PricedCounter> priced_counters() const;

  const std::vector<Technology>& technologies() const { return technologies_; }
  const std::vector<LeftOut>& left_out() const { return bound_.left_out; }
  const std::vector<std::string>& scope() const { return scope_; }
  const NotPriced& not_priced() const { return bound_.not_priced; }

  /// Technologies that price something in this run, with their process nodes in nm. Empty if all process
  /// nodes are equal.
  const std::vector<std::pair<std::string, double>>& mixed_nodes() const { return mixed_nodes_; }

  /// Warnings about look-ups far outside a table's points, and about unpriced units of a plug-in.
  const std::vector<std::string>& warnings() const { return bound_.warnings; }

 private:
  /// Calls each(unit, events) for each unit, with the number of events that the term's counters have counted
  /// in this unit. Returns the sum of these numbers.
  template <typename Each>
  static double events_by_unit(const BoundTerm& term, const std::vector<std::uint64_t>& values, Cycle cycles,
                               Each each);
  bool prices_anything(const Technology& technology) const;
  std::vector<std::pair<std::string, double>> find_mixed_nodes() const;
  std::vector<std::string> find_scope() const;
  void add_structures(const std::vector<std::vector<EnergyBalance>>& units, EnergyReport& report) const;
  void add_shares(EnergyReport& report) const;

  std::vector<Technology> technologies_;
  BoundAccount bound_;
  std::vector<std::pair<std::string, double>> mixed_nodes_;
  std::vector<std::string> scope_;
};

}  // namespace heddle::power
