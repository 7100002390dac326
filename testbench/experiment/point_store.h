#pragma once

// Results of points in memory: what a command has read once it need not read again, whatever plans it makes, and each run is
// priced once by each price.

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
  /// Whether a point of a plan is here, whichever plan it was added by.
  bool has(const Plan& plan, std::size_t point) const { return runs_.contains(plan.name(point)); }
  /// Adds a result as the file of a point has it. Throws Error if its counters are not those of its configuration.
  void add(const Plan& plan, std::size_t point, const ConfigNode& result);
  /// The values of a point that is here, by a price of the plan. Throws Error for what is wrong with a technology, and for
  /// an account that does not close.
  std::shared_ptr<const PointValues> values(const Plan& plan, std::size_t point, std::size_t price);

  /// Of a point that is here: what counted, its machine as an account sees it, and what prices it (nullptr: nothing does).
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
    std::map<std::string, std::unique_ptr<output::Pricing>> pricings;  ///< by price
  };
  struct Run {
    output::StoredTotal total;
    std::shared_ptr<const PointValues> common;
    std::map<std::string, std::shared_ptr<const PointValues>> priced;  ///< by price
  };
  const output::Pricing& pricing(const Plan& plan, std::size_t point, std::size_t price);

  std::map<std::uint64_t, Machine> machines_;                           ///< by configuration
  std::map<std::string, Run> runs_;                                     ///< by the points' names
  std::map<std::string, power::Technology> files_;                      ///< technologies as they are written
  std::map<std::string, std::vector<power::Technology>> technologies_;  ///< by price
};

}  // namespace heddle::experiment
