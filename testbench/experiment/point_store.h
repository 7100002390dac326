#pragma once

// Keeps the results of an experiment's runs in memory. A command reads each result once, even if it makes
// several plans. It computes the energies of each run once for each set of energy prices.

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
  /// Returns true if the store holds the run's result. The result may have been added for another plan.
  bool has(const Plan& plan, std::size_t point) const { return runs_.contains(plan.name(point)); }
  /// Adds a result. Throws Error if its counters do not fit the run's configuration.
  void add(const Plan& plan, std::size_t point, const ConfigNode& result);
  /// Returns all values of a stored run, with energies at the plan's set of energy prices `price`. Throws
  /// Error for an invalid technology, and if energies do not add up.
  std::shared_ptr<const PointValues> values(const Plan& plan, std::size_t point, std::size_t price);

  /// Details of a stored run: counters, counter names with the configuration, and energy account (nullptr
  /// without prices).
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
    std::map<std::string, std::unique_ptr<output::Pricing>> pricings;
  };
  struct Run {
    output::StoredTotal total;
    std::shared_ptr<const PointValues> common;
    std::map<std::string, std::shared_ptr<const PointValues>> priced;
  };
  const output::Pricing& pricing(const Plan& plan, std::size_t point, std::size_t price);

  /// Counter names and configuration of each machine, by hash of the configuration.
  std::map<std::uint64_t, Machine> machines_;
  std::map<std::string, Run> runs_;
  std::map<std::string, power::Technology> files_;
  std::map<std::string, std::vector<power::Technology>> technologies_;
};

}  // namespace heddle::experiment
