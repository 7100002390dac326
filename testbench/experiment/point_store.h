#pragma once

// Keeps the results of an experiment's runs in memory, so that a command reads each result once for all its
// plans, and prices each run once with each set of prices.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "testbench/experiment/plan.h"
#include "testbench/experiment/point_values.h"
#include "testbench/output/pricing.h"

namespace heddle::experiment {

class PointStore {
 public:
  /// Returns true if the store holds the result of this run of a plan. The result may have been added for
  /// another plan.
  bool has(const Plan& plan, std::size_t point) const { return runs_.contains(plan.name(point)); }
  /// Adds the result of a run from its file. Throws Error if the result's counters do not fit its
  /// configuration.
  void add(const Plan& plan, std::size_t point, const ConfigNode& result);
  /// Returns all values of a stored run, with energies by one of the plan's prices. Throws Error for an
  /// invalid technology, and if the energies of an account do not add up.
  std::shared_ptr<const PointValues> values(const Plan& plan, std::size_t point, std::size_t price);

  /// These functions return details of a stored run: its counters, the names of its counters with the
  /// configuration, and its energy account (nullptr without prices).
  const output::StoredTotal& total(const Plan& plan, std::size_t point) const {
    return runs_.at(plan.name(point)).total;
  }
  const output::StoredCounters& names(const Plan& plan, std::size_t point) const {
    return *machines_.at(plan.configuration(point)).names;
  }
  const ConfigNode& configuration(const Plan& plan, std::size_t point) const {
    return machines_.at(plan.configuration(point)).configuration;
  }
  const power::EnergyAccount* account(const Plan& plan, std::size_t point, std::size_t price) {
    return pricing(plan, point, price).account();
  }
  const std::vector<power::Technology>& technologies(const Plan& plan, std::size_t point, std::size_t price);

 private:
  struct Machine {
    std::shared_ptr<const output::StoredCounters> names;
    ConfigNode configuration;
    std::map<std::string, std::unique_ptr<output::Pricing>>
        pricings;  ///< energy accounts of the machine, one per set of prices
  };
  struct Run {
    output::StoredTotal total;
    std::shared_ptr<const PointValues> common;
    /// Values of the run, one object per set of prices.
    std::map<std::string, std::shared_ptr<const PointValues>> priced;
  };
  const output::Pricing& pricing(const Plan& plan, std::size_t point, std::size_t price);

  /// Machines (names of counters and configuration) by hash of the configuration.
  std::map<std::uint64_t, Machine> machines_;
  std::map<std::string, Run> runs_;                 ///< stored results of runs, by the name of the run
  std::map<std::string, power::Technology> files_;  ///< contents of the technology files, by path
  /// Lists of technologies, by the key of the set of prices.
  std::map<std::string, std::vector<power::Technology>> technologies_;
};

}  // namespace heddle::experiment
