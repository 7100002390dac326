#pragma once

// Values of one run by name: counters by full path ("sm0.issue.issued") and summed over units of the same
// kind ("sm.issue.issued"), metrics ("ipc"), "cycles", "energy....", "analysis....", "occupancy.warps" and
// others.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::experiment {

class PointValues {
 public:
  PointValues() = default;
  /// Reads a result.json, with or without launches. For an estimated run, the values are the estimates;
  /// "estimate.cycles.low" and ".high" are ends of an interval.
  explicit PointValues(const ConfigNode& result);
  /// Values of a run under one table of prices. `common`: values that do not depend on prices. `energies`:
  /// energies under this table.
  PointValues(std::shared_ptr<const PointValues> common, const ConfigNode& energies);

  const double* find(const std::string& name) const;
  bool matches(const std::string& pattern) const;

  struct Matched {
    double sum = 0;
    std::size_t count = 0;
  };
  /// Returns sum and number of the matching values (models/core/wildcard.h). Leaves out sums over units, so
  /// that nothing is counted twice.
  Matched match(const std::string& pattern) const;
  std::vector<std::string> names_like(const std::string& pattern) const;

  void merge_names(const PointValues& other);
  /// Adds the names of a run's values that depend on prices. The names of its other values must have been
  /// added before.
  void merge_own_names(const PointValues& other);

  /// Sums over units of the same kind, and metrics, without values that depend on prices.
  const std::map<std::string, double>& sums() const { return sums_; }
  const std::map<std::string, double>& entries() const { return entries_; }

 private:
  void add_numbers(const ConfigNode& node, const std::string& path);
  template <class Visit>
  void for_each_like(const std::string& pattern, Visit visit) const;

  std::shared_ptr<const PointValues> common_;
  std::map<std::string, double> entries_;
  std::map<std::string, double> sums_;
};

}  // namespace heddle::experiment
