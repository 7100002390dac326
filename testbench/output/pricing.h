#pragma once

// Computes energies from stored counters: gives the result that the run would have given with other
// technologies, without repeating the run.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/stats.h"
#include "power/area.h"
#include "power/energy_account.h"
#include "testbench/run/run_parameters.h"

namespace heddle::output {

/// Names of the counters in a result.json. These names are used because this class builds no GPU, and so has
/// no registry of counters.
class StoredCounters {
 public:
  /// Reads the values of "counters" in a total. Throws Error for an invalid value.
  explicit StoredCounters(const ConfigNode& counters);
  const StatsRegistry& registry() const { return registry_; }
  const std::vector<std::uint64_t>& values() const { return values_; }

 private:
  StatsRegistry registry_;
  std::vector<std::uint64_t> values_;
};

/// Counter values of a stored total, in the order of its counters' names.
struct StoredCounts {
  std::vector<std::uint64_t> values;
  Cycle cycles = 0;
};

/// Counter values of a total, and if the run was estimated, also the estimates for the whole run.
struct StoredTotal {
  /// `total`: "total" of a result.json, or another object with "cycles" and "counters". Throws Error if the
  /// counters are not those of `names`.
  StoredTotal(const ConfigNode& total, const StoredCounters& names);
  StoredCounts timed;
  std::optional<StoredCounts> estimated;
  /// Returns the values for the whole run: the estimates if there are any, otherwise the counted values.
  const StoredCounts& whole() const { return estimated ? *estimated : timed; }
};

/// Prices the totals of several runs that have the same configuration. The constructor connects technologies
/// and counters once for all these runs.
class Pricing {
 public:
  /// `configuration`: result of run::energy_configuration; `names`: names of the counters of any run with
  /// this configuration. Throws the Errors of EnergyAccount.
  Pricing(const std::vector<power::Technology>& technologies, const ConfigNode& configuration,
          std::shared_ptr<const StoredCounters> names);

  /// Returns nullptr if the configuration names no technologies.
  const power::EnergyAccount* account() const { return account_.get(); }
  /// Returns the energies of a run in the form of "total" in result.json: "metrics", "energy", and if the
  /// technologies have areas, "area" with "total_mm2" and "STRUCTURE_mm2". Returns an empty object without
  /// technologies. Throws Error if energies do not add up (power/account_sums.h).
  ConfigNode energies(const StoredTotal& total) const;

 private:
  std::shared_ptr<const StoredCounters> names_;
  std::unique_ptr<power::EnergyAccount> account_;
  std::vector<power::Area> areas_;
};

/// Removes the energies from a total or a launch of a result.
ConfigNode without_energy(const ConfigNode& part);
/// Adds the energies of a report to a total or a launch of a result. `account`: true if the run has an
/// account.
ConfigNode with_energy(const ConfigNode& part, const power::EnergyReport& report, bool account);

/// A stored run, as `heddle price` reads it.
struct StoredRun {
  std::string file;
  ConfigNode result;      ///< contents of this result.json
  std::string stats_csv;  ///< text of stats.csv in the same folder; needed if several launches were timed
};

struct PricedRun {
  ConfigNode result;  ///< contents of the new result.json, without "files"
  std::string energy_csv, summary;
  std::vector<std::string> notes;  ///< descriptions of the parts of the result that could not be priced
};

/// Prices the run with the technologies of `parameters`. All other parameters must be those of the stored
/// run, except power and output.folder. Written paths are relative to `folder`. Throws Error.
PricedRun price(const StoredRun& stored, const run::RunParameters& parameters, const std::string& folder);

}  // namespace heddle::output
