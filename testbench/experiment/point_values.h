#pragma once

// Holds the values of one run by name. A counter has its full path as name ("sm0.issue.issued"). The sum of a
// counter over units of the same kind has the path without numbers ("sm.issue.issued"). Other names are
// metrics ("ipc"), "cycles", "energy....", "analysis....", "occupancy.warps" and others.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::experiment {

class PointValues {
 public:
  PointValues() = default;
  /// Reads a result.json, with or without values of single launches. For an estimated run, takes the
  /// estimates of the whole run; "estimate.cycles.low" and ".high" are the ends of an interval.
  explicit PointValues(const ConfigNode& result);
  /// Makes the values of a run at one set of energy prices. `common`: values that do not depend on prices.
  /// `energies`: energies at these prices.
  PointValues(std::shared_ptr<const PointValues> common, const ConfigNode& energies);

  const double* find(const std::string& name) const;
  bool matches(const std::string& pattern) const;

  struct Matched {
    double sum = 0;
    std::size_t count = 0;
  };
  /// Returns sum and number of the values whose names match (models/core/wildcard.h). Leaves out sums over
  /// units, because the counters that they sum up match too.
  Matched match(const std::string& pattern) const;
  std::vector<std::string> names_like(const std::string& pattern) const;

  void merge_names(const PointValues& other);
  /// Adds the names of the values that depend on prices. Sufficient if the names of the same run at another
  /// set of prices have been added with merge_names().
  void merge_own_names(const PointValues& other);

  /// sums(): sums of a counter over units of the same kind. entries(): all other values. For the values at
  /// one set of prices, both leave out the values of `common`.
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
