#pragma once

// Computes energies from stored counters. The output equals that of a run with other technologies, but
// nothing is run again.

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

/// Counters of a result.json by their full names. They stand in for the counters of a GPU that is not built.
class StoredCounters {
 public:
  /// Reads "counters" of a total. Throws Error for an invalid count.
  explicit StoredCounters(const ConfigNode& counters);
  const StatsRegistry& registry() const { return registry_; }
  /// Returns values in the order of registry().counters().
  const std::vector<std::uint64_t>& values() const { return values_; }

 private:
  StatsRegistry registry_;
  std::vector<std::uint64_t> values_;
};

/// Counts of a stored total, in the order of its configuration's counters.
struct StoredCounts {
  std::vector<std::uint64_t> values;
  Cycle cycles = 0;
};

/// Counts of a total that may be estimated: the counts of the timed part, and the estimates of the whole.
struct StoredTotal {
  /// `total`: "total" of a result.json, or another object with "cycles" and "counters". Throws Error if its
  /// counters are not those of `names`.
  StoredTotal(const ConfigNode& total, const StoredCounters& names);
  StoredCounts timed;
  std::optional<StoredCounts> estimated;
  /// Returns the counts of the whole run: the estimates if there are any, otherwise the timed ones.
  const StoredCounts& whole() const { return estimated ? *estimated : timed; }
};

/// Prices the totals of runs with one configuration. The constructor connects the technologies to the
/// counters once.
class Pricing {
 public:
  /// `configuration`: run::energy_configuration of the run; `names`: counters of any run with it. Throws the
  /// Errors of EnergyAccount.
  Pricing(const std::vector<power::Technology>& technologies, const ConfigNode& configuration,
          std::shared_ptr<const StoredCounters> names);

  /// Returns nullptr if the configuration names no technologies.
  const power::EnergyAccount* account() const { return account_.get(); }
  /// Returns the energies of the whole run in the form of a "total": "metrics", "energy" and, if the
  /// technologies have areas, "area" with "total_mm2" and "STRUCTURE_mm2" of each structure. Returns an empty
  /// object without technologies. Throws Error if sums do not close (power/account_sums.h).
  ConfigNode energies(const StoredTotal& total) const;

 private:
  std::shared_ptr<const StoredCounters> names_;
  std::unique_ptr<power::EnergyAccount> account_;
  std::vector<power::Area> areas_;
};

/// Returns a total or a launch without its energies.
ConfigNode without_energy(const ConfigNode& part);
/// Returns a total or a launch with the energies of a report. `account`: true if the run has an account.
ConfigNode with_energy(const ConfigNode& part, const power::EnergyReport& report, bool account);

/// A stored run.
struct StoredRun {
  std::string file;       ///< path of the result.json
  ConfigNode result;      ///< its contents
  std::string stats_csv;  ///< text of stats.csv in the same folder; required if several launches were timed
};

struct PricedRun {
  ConfigNode result;  ///< result.json without "files"
  std::string energy_csv, summary;
  std::vector<std::string> notes;  ///< descriptions of the parts of the result that could not be priced
};

/// Prices the run with the technologies of `parameters`. All other parameters must be those of the stored
/// run, except power and output.folder. Written paths are relative to `folder`. Throws Error.
PricedRun price(const StoredRun& stored, const run::RunParameters& parameters, const std::string& folder);

}  // namespace heddle::output
