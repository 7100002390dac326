#pragma once

// The laws of an energy account (docs/energy.md) on every stack that a search visits: a machine without a technique spends
// its baseline, and the baseline of a stack is what the plain machine pays for the same accesses, by the same tables. That
// sums close is checked wherever a run is priced (output::Pricing).

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/results.h"
#include "testbench/output/plain_twin.h"

namespace heddle::experiment {

class AccountLaws {
 public:
  /// `store`: that of the results.
  explicit AccountLaws(PointStore& store) : store_(store) {}

  /// Checks every run of a search's figure that has not been checked before, where the search is relative to a variant
  /// without techniques and changes; of stacks, those that techniques alone make: a changed machine is another plain one.
  /// Throws Error that names run and structure.
  void check(const Search& search, const ExperimentFile& file, const Plan& plan, const Results& results);

 private:
  /// A machine with techniques as a plain one, and what prices it.
  struct Twin {
    output::PlainTwin twin;
    std::unique_ptr<power::EnergyAccount> account;
  };
  using Key = std::pair<std::uint64_t, std::string>;  ///< configuration and price

  void check_plain(const Plan& plan, const Plan::Planned& plain);
  void check_stack(const Plan& plan, const Plan::Planned& stack, const Plan::Planned& plain);

  PointStore& store_;
  std::map<Key, Twin> twins_;
  std::set<std::pair<std::string, std::string>> checked_;  ///< points and prices
};

}  // namespace heddle::experiment
