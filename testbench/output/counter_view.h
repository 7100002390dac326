#pragma once

// Counter values of a launch or a run, summed over all units of a kind: "sm3.partition0.banks.reads" is added
// to "sm.partition.banks.reads".

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/core/stats.h"

namespace heddle::output {

/// Returns a path without the numbers of the units: "sm3.partition0.banks" becomes "sm.partition.banks".
std::string class_of_units(const std::string& path);

class CounterView {
 public:
  CounterView(const StatsRegistry& registry, const std::vector<std::uint64_t>& values);

  /// Returns a counter's sum over all units, such as sum("sm.issue.issued"); 0 for an unknown counter.
  std::uint64_t sum(const std::string& name) const;
  std::uint64_t units(const std::string& name) const { return counters(name).size(); }
  /// Returns the positions of the counter `name` in registry.counters(): one position for each unit that has
  /// this counter.
  const std::vector<std::size_t>& counters(const std::string& name) const;
  /// Returns the counter's sum over its units, divided by (cycles * number of these units); 0 for an unknown
  /// counter.
  double share_of_cycles(const std::string& name, std::uint64_t cycles) const;

  struct Sum {
    std::uint64_t value = 0;
    std::vector<std::size_t> counters;
  };
  const std::map<std::string, Sum>& sums() const { return sums_; }

 private:
  std::map<std::string, Sum> sums_;
};

std::uint64_t sum_of(const std::vector<std::uint64_t>& values, const std::vector<std::size_t>& places);

std::vector<std::string> stall_reasons(const CounterView& counters);
/// prefix of the counters of idle issue slots; the reason for the idle slot follows the prefix
inline constexpr const char* kIdleSlots = "sm.issue.scheduler.idle_";

}  // namespace heddle::output
