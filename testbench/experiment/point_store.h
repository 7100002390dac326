#pragma once

// Holds the results of points (the runs of an experiment) in memory. A command reads each result once for all
// its plans, and prices each run once with each price.

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
  /// Returns true if the store has the result of this point of a plan. Another plan may have added the
  /// result.
  bool has(const Plan& plan, std::size_t point) const { return runs_.contains(plan.name(point)); }
  /// Adds a result from the file of a point. Throws Error if its counters do not match its configuration.
  void add(const Plan& plan, std::size_t point, const ConfigNode& result);
  /// Returns the values of a stored point, priced with a price of the plan. Throws Error for an invalid
  /// technology, and for an account whose sums do not close.
  std::shared_ptr<const PointValues> values(const Plan& plan, std::size_t point, std::size_t price);

  /// These functions return the counters of a stored point, the names and configuration of its counters, and
  /// its account (nullptr without prices).
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
        pricings;  ///< energy prices of the machine, by price
  };
  struct Run {
    output::StoredTotal total;
    std::shared_ptr<const PointValues> common;
    std::map<std::string, std::shared_ptr<const PointValues>> priced;  ///< values of the run by price
  };
  const output::Pricing& pricing(const Plan& plan, std::size_t point, std::size_t price);

  std::map<std::uint64_t, Machine> machines_;       ///< machines by hash of the configuration
  std::map<std::string, Run> runs_;                 ///< results by the points' names
  std::map<std::string, power::Technology> files_;  ///< technologies by path as given in the configuration
  std::map<std::string, std::vector<power::Technology>> technologies_;  ///< technologies by key of the price
};

}  // namespace heddle::experiment
