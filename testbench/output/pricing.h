#pragma once

// Energies from stored counters: what a run with other technologies would have written, without the run.

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

/// Counters as a result.json holds them, by their full names, in the place of those of a GPU.
class StoredCounters {
 public:
  /// "counters" of a total. Throws Error for what is no count.
  explicit StoredCounters(const ConfigNode& counters);
  const StatsRegistry& registry() const { return registry_; }
  /// In the order of registry().counters().
  const std::vector<std::uint64_t>& values() const { return values_; }

 private:
  StatsRegistry registry_;
  std::vector<std::uint64_t> values_;
};

/// What a stored total counted, in the order of the counters of its configuration.
struct StoredCounts {
  std::vector<std::uint64_t> values;
  Cycle cycles = 0;
};

/// The same of a total whose run may have estimated: what its timed part counted, and the estimates.
struct StoredTotal {
  /// `total`: "total" of a result.json, or what has "cycles" and "counters" as it has. Throws Error if its counters are
  /// not those of `names`.
  StoredTotal(const ConfigNode& total, const StoredCounters& names);
  StoredCounts timed;
  std::optional<StoredCounts> estimated;
  /// What speaks of the whole: the estimates where there are some.
  const StoredCounts& whole() const { return estimated ? *estimated : timed; }
};

/// Prices the totals of runs of one configuration: its technologies are bound to the counters once.
class Pricing {
 public:
  /// `configuration`: run::energy_configuration of the run; `names`: the counters of any run of it. Throws Error, as
  /// EnergyAccount does.
  Pricing(const std::vector<power::Technology>& technologies, const ConfigNode& configuration,
          std::shared_ptr<const StoredCounters> names);

  /// nullptr if there is no technology.
  const power::EnergyAccount* account() const { return account_.get(); }
  /// The energies of the whole as a "total" has them: an object of "metrics" and "energy", and, where the technologies
  /// know areas, of "area": "total_mm2", and "STRUCTURE_mm2" of each. Without a technology it is empty.
  /// Throws Error where sums do not close (power/account_sums.h).
  ConfigNode energies(const StoredTotal& total) const;

 private:
  std::shared_ptr<const StoredCounters> names_;
  std::unique_ptr<power::EnergyAccount> account_;
  std::vector<power::Area> areas_;
};

/// A total, or a launch, without its energies.
ConfigNode without_energy(const ConfigNode& part);
/// The same with those of a report; `account`: whether there is one.
ConfigNode with_energy(const ConfigNode& part, const power::EnergyReport& report, bool account);

/// A run as it was written.
struct StoredRun {
  std::string file;       ///< of the result.json
  ConfigNode result;      ///< its contents
  std::string stats_csv;  ///< the text of stats.csv beside it; needed where several launches were timed
};

struct PricedRun {
  ConfigNode result;  ///< result.json, but for "files"
  std::string energy_csv, summary;
  std::vector<std::string> notes;  ///< what could not be priced
};

/// The run with the technologies that `parameters` (those of the stored run, but for power and output.folder) name.
/// Paths in it are relative to `folder`. Throws Error.
PricedRun price(const StoredRun& stored, const run::RunParameters& parameters, const std::string& folder);

}  // namespace heddle::output
