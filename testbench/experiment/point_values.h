#pragma once

// Values of one run by name: counters by full path ("sm0.issue.issued") and summed over like units
// ("sm.issue.issued"), metrics ("ipc"), "cycles", energy and analysis entries ("energy...."),
// "occupancy.warps" and others.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::experiment {

class PointValues {
 public:
  PointValues() = default;
  /// Reads a result.json, with or without its launches. An estimated run gives its estimates, with their
  /// intervals as "estimate.cycles.low" and so on.
  explicit PointValues(const ConfigNode& result);
  /// Adds energies from output::Pricing to the values that all prices of a run share.
  PointValues(std::shared_ptr<const PointValues> common, const ConfigNode& energies);

  /// Returns nullptr for an unknown name.
  const double* find(const std::string& name) const;
  bool matches(const std::string& pattern) const;

  struct Matched {
    double sum = 0;
    std::size_t count = 0;
  };
  /// Returns sum and count of the values whose names match a pattern (models/core/wildcard.h). Sums over like
  /// units are left out.
  Matched match(const std::string& pattern) const;
  /// Returns the names that match a pattern. Names of sums over like units are left out.
  std::vector<std::string> names_like(const std::string& pattern) const;

  /// Adds the names of another run, so that this object has the names of all runs.
  void merge_names(const PointValues& other);
  /// Adds the names that another price of a run has. The run's other names must be present already.
  void merge_own_names(const PointValues& other);

  /// Return sums over like units and metrics, sorted by name. Values that all prices of the run share are
  /// left out.
  const std::map<std::string, double>& sums() const { return sums_; }
  const std::map<std::string, double>& entries() const { return entries_; }

 private:
  void add_numbers(const ConfigNode& node, const std::string& path);
  /// Visits entries whose names match a pattern, sorted by name.
  template <class Visit>
  void for_each_like(const std::string& pattern, Visit visit) const;

  std::shared_ptr<const PointValues> common_;
  std::map<std::string, double> entries_;  ///< all values of the run
  std::map<std::string, double> sums_;     ///< counters, summed over like units
};

}  // namespace heddle::experiment
