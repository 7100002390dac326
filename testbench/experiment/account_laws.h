#pragma once

// Checks the laws of an energy account (docs/energy.md) for every stack (combination) of techniques that a
// search tries. A machine without a technique must spend exactly its baseline. The plain machine is the
// machine without the stack. The baseline of a stack must equal the plain machine's price, by the same
// tables, for the accesses of the stack's run. output::Pricing checks that the energies of an account add up.

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
  /// `store`: holds the results of the experiment's runs.
  explicit AccountLaws(PointStore& store) : store_(store) {}

  /// Checks every run of the figure that belongs to a search, unless the run was checked before. Checks
  /// nothing unless the figure is relative to a variant without techniques and changes. Only stacks of
  /// techniques are checked: other variants also change the plain machine. Throws Error, which names run and
  /// structure.
  void check(const Search& search, const ExperimentFile& file, const Plan& plan, const Results& results);

 private:
  /// The plain machine (the machine without techniques) for the accesses of a stack's run, and the prices of
  /// the plain machine.
  struct Twin {
    output::PlainTwin twin;
    std::unique_ptr<power::EnergyAccount> account;
  };
  /// Key of a plain machine: hash of the configuration, and price.
  using Key = std::pair<std::uint64_t, std::string>;

  void check_plain(const Plan& plan, const Plan::Planned& plain);
  void check_stack(const Plan& plan, const Plan::Planned& stack, const Plan::Planned& plain);

  PointStore& store_;
  std::map<Key, Twin> twins_;
  /// Pairs of a run of the experiment and a price that are already checked.
  std::set<std::pair<std::string, std::string>> checked_;
};

}  // namespace heddle::experiment
