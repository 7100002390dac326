#pragma once

// Checks the laws of an energy account (docs/energy.md) on every stack of techniques that a search visits. A
// machine without a technique must spend exactly its baseline. A stack's baseline must be the plain machine's
// price for the same accesses in the same tables. output::Pricing checks that the sums of an account close.

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
  /// `store`: the store that holds the results of the runs.
  explicit AccountLaws(PointStore& store) : store_(store) {}

  /// Checks every run of a search's figure that is not checked yet. Checks nothing unless the search is
  /// relative to a variant without techniques and changes. Only stacks that consist of techniques are
  /// checked, because a variant that changes the machine also changes the plain machine. Throws Error, which
  /// names run and structure.
  void check(const Search& search, const ExperimentFile& file, const Plan& plan, const Results& results);

 private:
  /// A plain machine with the accesses of a stack of techniques, and the prices of that machine.
  struct Twin {
    output::PlainTwin twin;
    std::unique_ptr<power::EnergyAccount> account;
  };
  using Key = std::pair<std::uint64_t, std::string>;  ///< keys of configuration and price

  void check_plain(const Plan& plan, const Plan::Planned& plain);
  void check_stack(const Plan& plan, const Plan::Planned& stack, const Plan::Planned& plain);

  PointStore& store_;
  std::map<Key, Twin> twins_;
  /// Checked pairs of point (run of the experiment) and price.
  std::set<std::pair<std::string, std::string>> checked_;
};

}  // namespace heddle::experiment
