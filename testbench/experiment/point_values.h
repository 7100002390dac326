#pragma once

// Values of one run by name: counters by full path ("sm0.issue.issued") and summed over units of the same
// kind ("sm.issue.issued"), metrics ("ipc"), "cycles", energies and tables of analyses ("energy....",
// "analysis...."), "occupancy.warps" and others.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::experiment {

class PointValues {
 public:
  PointValues() = default;
  /// Reads a result.json, with or without the entries of its launches. For an estimated run, the values are
  /// the estimates; "estimate.cycles.low" and ".high" are the ends of an interval.
  explicit PointValues(const ConfigNode& result);
  /// The values of a run under one table of prices (energies of events). `common`: the values that do not
  /// depend on prices, such as counters. `energies`: the energies under this table.
  PointValues(std::shared_ptr<const PointValues> common, const ConfigNode& energies);

  /// Returns the value with this name; nullptr if there is none.
  const double* find(const std::string& name) const;
  bool matches(const std::string& pattern) const;

  struct Matched {
    double sum = 0;
    std::size_t count = 0;
  };
  /// Returns sum and number of the values whose names match a pattern (models/core/wildcard.h). Sums over
  /// units of the same kind are left out, so that nothing counts twice.
  Matched match(const std::string& pattern) const;
  /// Returns the names that match a pattern. Sums over units of the same kind are left out.
  std::vector<std::string> names_like(const std::string& pattern) const;

  /// Adds the names of another run, so that this object has the names of all runs.
  void merge_names(const PointValues& other);
  /// Adds the names of values that depend on prices. `other` is a run whose remaining names were added before
  /// with another set of prices.
  void merge_own_names(const PointValues& other);

  /// These functions return the sums over units of the same kind, and the metrics, sorted by name. Values
  /// that do not depend on prices are left out.
  const std::map<std::string, double>& sums() const { return sums_; }
  const std::map<std::string, double>& entries() const { return entries_; }

 private:
  void add_numbers(const ConfigNode& node, const std::string& path);
  /// Visits all entries whose names match a pattern, sorted by name.
  template <class Visit>
  void for_each_like(const std::string& pattern, Visit visit) const;

  std::shared_ptr<const PointValues> common_;
  std::map<std::string, double> entries_;
  std::map<std::string, double> sums_;  ///< sums of counters over units of the same kind, by name
};

}  // namespace heddle::experiment
