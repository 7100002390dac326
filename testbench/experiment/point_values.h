#pragma once

// The numbers of one run by name: counters by full path ("sm0.issue.issued") and summed over like units
// ("sm.issue.issued"), metrics ("ipc"), "cycles", energy and analysis entries ("energy...."), "occupancy.warps" and the like.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::experiment {

class PointValues {
 public:
  PointValues() = default;
  /// From a result.json, with or without its launches. Of a run that estimates: the estimates, and their intervals as
  /// "estimate.cycles.low" and so on.
  explicit PointValues(const ConfigNode& result);
  /// The same with energies of its own, as output::Pricing gives them, beside what all prices of a run have in common.
  PointValues(std::shared_ptr<const PointValues> common, const ConfigNode& energies);

  /// nullptr if there is no such name.
  const double* find(const std::string& name) const;
  bool matches(const std::string& pattern) const;

  struct Matched {
    double sum = 0;
    std::size_t count = 0;
  };
  /// Over all names but the sums of like units; pattern by models/core/wildcard.h.
  Matched match(const std::string& pattern) const;
  /// Names, but for the sums of like units, that fit a pattern.
  std::vector<std::string> names_like(const std::string& pattern) const;

  /// Adds the names of another run, so that this object knows what is known anywhere.
  void merge_names(const PointValues& other);
  /// The same of another price of a run whose names are here.
  void merge_own_names(const PointValues& other);

  /// Sums of like units and metrics, for tables: sorted by name. Without what it has in common with others.
  const std::map<std::string, double>& sums() const { return sums_; }
  const std::map<std::string, double>& entries() const { return entries_; }

 private:
  void add_numbers(const ConfigNode& node, const std::string& path);
  /// Entries whose names fit a pattern, in the order of names.
  template <class Visit>
  void for_each_like(const std::string& pattern, Visit visit) const;

  std::shared_ptr<const PointValues> common_;
  std::map<std::string, double> entries_;  ///< everything that the run wrote
  std::map<std::string, double> sums_;     ///< counters, summed over like units
};

}  // namespace heddle::experiment
