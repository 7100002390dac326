#pragma once

// The energy account of a run: technologies bound to the counters and the configuration of one GPU. Patterns
// and coefficients are resolved once; a report is a walk over counter values. Nothing here runs while the GPU
// does.

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
  /// `configuration`: the parameters of the run as a tree, with gpu.core_clock_mhz. The registry holds all
  /// counters. A technology that another one extends is not used. Every event of a structure has one owner
  /// (owners.h), so that nothing counts twice and the order of the technologies decides nothing. Throws Error for
  /// entries that mean no counter and are not optional, for parameters that a coefficient needs and the run does
  /// not have, and for technologies of one rank that price an event differently.
  EnergyAccount(std::vector<Technology> technologies, const ConfigNode& configuration,
                const StatsRegistry& registry);
  EnergyAccount(const EnergyAccount&) = delete;  ///< reports point into it
  EnergyAccount& operator=(const EnergyAccount&) = delete;

  /// `values`: what the counters added in `cycles`, in the order of StatsRegistry::counters().
  EnergyReport report(const std::vector<std::uint64_t>& values, Cycle cycles) const;
  /// The energies alone, without `shares` and what follows them, in a small part of the time: for reports of many intervals.
  EnergyReport balances(const std::vector<std::uint64_t>& values, Cycle cycles) const;

  /// Checks that the states of every unit that a technology names sum to the cycles of the launch. Throws
  /// InternalError.
  void check_cycles(const std::vector<std::uint64_t>& values, Cycle cycles) const;

  const std::vector<Technology>& technologies() const { return technologies_; }
  const std::vector<LeftOut>& left_out() const { return bound_.left_out; }
  /// What the energies are of: the scopes of the technologies that price something here.
  const std::vector<std::string>& scope() const { return scope_; }
  const NotPriced& not_priced() const { return bound_.not_priced; }

  /// Technologies that price something here, with their nodes, where these are not all the same; else empty.
  const std::vector<std::pair<std::string, double>>& mixed_nodes() const { return mixed_nodes_; }

  /// Notes for the reader of the account: sizes far outside of a table, parts of a plug-in that cost nothing.
  const std::vector<std::string>& warnings() const { return bound_.warnings; }

 private:
  /// Calls each(unit, events) for every unit of the term; the sum of all.
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
