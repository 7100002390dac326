#pragma once

// Checks laws of an energy account (docs/energy.md) for every combination of techniques (stack) that a search
// tries. The baseline of a run is the energy of its accesses at the prices of a machine without techniques.
// First, a run without techniques must spend exactly its baseline. Second, a stack's baseline must equal the
// energy that the account of the machine without techniques computes from the stack's access counts and
// prices.

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
  explicit AccountLaws(PointStore& store) : store_(store) {}

  /// Checks the energies of a search's runs, each run only once. Does nothing if the search's figure is not
  /// relative to a base variant, or if the base variant has techniques or changed parameters. Skips variants
  /// that change parameters: the base variant is not their machine without techniques. If a check fails,
  /// throws Error, which names run and structure.
  void check(const Search& search, const ExperimentFile& file, const Plan& plan, const Results& results);

 private:
  /// A machine without techniques, and its energy account. The access counts and the prices come from the run
  /// of a combination of techniques.
  struct Twin {
    explicit Twin(const StatsRegistry& counters) : twin(counters) {}
    output::PlainTwin twin;
    std::unique_ptr<power::EnergyAccount> account;
  };
  /// key of a machine without techniques: hash of its configuration, and key of the set of energy prices
  using Key = std::pair<std::uint64_t, std::string>;

  void check_plain(const Plan& plan, const Plan::Planned& plain);
  void check_stack(const Plan& plan, const Plan::Planned& stack, const Plan::Planned& plain);

  PointStore& store_;
  std::map<Key, Twin> twins_;
  std::set<std::pair<std::string, std::string>> checked_;
};

}  // namespace heddle::experiment
