#pragma once

// Counter values of a launch or a run, summed over like units: the counter "sm3.partition0.banks.reads"
// counts towards "sm.partition.banks.reads".

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/core/stats.h"

namespace heddle::output {

/// A path without the numbers of its units: "sm3.partition0.banks" -> "sm.partition.banks".
std::string class_of_units(const std::string& path);

class CounterView {
 public:
  /// `values` in the order of registry.counters().
  CounterView(const StatsRegistry& registry, const std::vector<std::uint64_t>& values);

  /// Sum over like units, 0 where there is no such counter: sum("sm.issue.issued").
  std::uint64_t sum(const std::string& name) const;
  /// Units that have this counter.
  std::uint64_t units(const std::string& name) const { return counters(name).size(); }
  /// Their counters, by their places in registry.counters(); the sum is that of these.
  const std::vector<std::size_t>& counters(const std::string& name) const;
  /// sum / (units x cycles), 0 where there is none.
  double share_of_cycles(const std::string& name, std::uint64_t cycles) const;

  struct Sum {
    std::uint64_t value = 0;
    std::vector<std::size_t> counters;
  };
  /// All sums by name.
  const std::map<std::string, Sum>& sums() const { return sums_; }

 private:
  std::map<std::string, Sum> sums_;
};

/// The sum of the values in these places.
std::uint64_t sum_of(const std::vector<std::uint64_t>& values, const std::vector<std::size_t>& places);

/// Reasons of idle issue slots, in the order of stall_reason_names.
std::vector<std::string> stall_reasons(const CounterView& counters);
inline constexpr const char* kIdleSlots = "sm.issue.scheduler.idle_";  ///< with the reason after it

}  // namespace heddle::output
