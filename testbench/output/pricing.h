#pragma once

// Computes energies from stored counters. The result is the same as if the run were repeated with other
// technologies.

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

/// Counters of a result.json. They replace the registry of a GPU, because no GPU is built here.
class StoredCounters {
 public:
  /// Holds the counters of `counters`, an object of result.json with names and values. Throws Error for a
  /// malformed name or value.
  explicit StoredCounters(const ConfigNode& counters);
  const StatsRegistry& registry() const { return registry_; }
  const std::vector<std::uint64_t>& values() const { return values_; }

 private:
  StatsRegistry registry_;
  std::vector<std::uint64_t> values_;
};

/// Values of the counters in the member "total" of a stored result.json, ordered by the counters' names.
struct StoredCounts {
  std::vector<std::uint64_t> values;
  Cycle cycles = 0;
};

/// Values of the counters for the timed part of a run and, if the run was estimated, for the whole run.
struct StoredTotal {
  /// Reads the values in `total`, an object with "cycles" and "counters". Throws Error if the counters of
  /// `total` have other names than those in `names`.
  StoredTotal(const ConfigNode& total, const StoredCounters& names);
  StoredCounts timed;
  std::optional<StoredCounts> estimated;
  const StoredCounts& whole() const { return estimated ? *estimated : timed; }
};

/// Computes the energies of several runs with the same configuration. The constructor finds, once for all
/// runs, the counter that each energy price multiplies.
class Pricing {
 public:
  /// Builds the energy account of `technologies`. `configuration`: result of run::energy_configuration.
  /// `names`: counters of any run with this configuration. Throws Error in the cases in which EnergyAccount
  /// throws it.
  Pricing(const std::vector<power::Technology>& technologies, const ConfigNode& configuration,
          std::shared_ptr<const StoredCounters> names);

  /// Returns the energy account; nullptr if the configuration names no technologies.
  const power::EnergyAccount* account() const { return account_.get(); }
  /// Returns the members "metrics" and "energy" as in "total" of result.json; empty without technologies. If
  /// the technologies state areas, adds "area" with "total_mm2" and "STRUCTURE_mm2". Throws Error if energies
  /// do not add up (power/account_sums.h).
  ConfigNode energies(const StoredTotal& total) const;

 private:
  std::shared_ptr<const StoredCounters> names_;
  std::unique_ptr<power::EnergyAccount> account_;
  std::vector<power::Area> areas_;
};

ConfigNode without_energy(const ConfigNode& part);
ConfigNode with_energy(const ConfigNode& part, const power::EnergyReport& report, bool account);

struct StoredRun {
  std::string file;
  ConfigNode result;
  std::string stats_csv;
};

struct PricedRun {
  ConfigNode result;
  std::string energy_csv, summary;
  std::vector<std::string> notes;
};

/// Returns the stored run's result with energies at other prices. All parameters except power and
/// output.folder must equal those of the stored run. Paths in the result are relative to `folder`. Throws
/// Error if another parameter differs, if stats.csv is needed and missing, or if a stored value is malformed.
PricedRun price(const StoredRun& stored, const run::RunParameters& parameters, const std::string& folder);

}  // namespace heddle::output
