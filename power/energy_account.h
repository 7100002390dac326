#pragma once

// The energy account of a run: technologies bound to the counters and the configuration of one GPU. Patterns
// and coefficients are resolved once; a report then needs one pass over the counter values. The account is
// not used while the GPU runs.

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
  /// `configuration`: tree of the run's parameters with gpu.core_clock_mhz. The registry must contain all
  /// counters. A technology that another one extends is not used. Each event of a structure has one owner
  /// (owners.h), so nothing counts twice and the order of the technologies has no effect. Throws Error for
  /// non-optional entries without a counter, for parameters that the run does not have, and for technologies
  /// of equal rank that price an event differently.
  EnergyAccount(std::vector<Technology> technologies, const ConfigNode& configuration,
                const StatsRegistry& registry);
  EnergyAccount(const EnergyAccount&) = delete;  ///< reports point into it
  EnergyAccount& operator=(const EnergyAccount&) = delete;

  /// `values`: increments of the counters during `cycles`, in the order of StatsRegistry::counters().
  EnergyReport report(const std::vector<std::uint64_t>& values, Cycle cycles) const;
  /// Returns the energies without `shares` and the derived fields. Much faster than report(), for many
  /// intervals.
  EnergyReport balances(const std::vector<std::uint64_t>& values, Cycle cycles) const;

  /// Checks that the states of each unit in a technology's cycle checks sum to the cycles of the launch.
  /// Throws InternalError.
  void check_cycles(const std::vector<std::uint64_t>& values, Cycle cycles) const;

  const std::vector<Technology>& technologies() const { return technologies_; }
  const std::vector<LeftOut>& left_out() const { return bound_.left_out; }
  /// What the energies cover: the scopes of the technologies that price something here.
  const std::vector<std::string>& scope() const { return scope_; }
  const NotPriced& not_priced() const { return bound_.not_priced; }

  /// Technologies that price something here with their process nodes, if the nodes differ; otherwise empty.
  const std::vector<std::pair<std::string, double>>& mixed_nodes() const { return mixed_nodes_; }

  /// Returns the warnings: sizes far outside of a table, unpriced units of a plug-in.
  const std::vector<std::string>& warnings() const { return bound_.warnings; }

 private:
  /// Calls each(unit, events) for each unit of the term. Returns the sum of all events.
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
