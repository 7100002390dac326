#pragma once

// Counter values of a launch or a run, summed over each class of counters (models/core/counter_classes.h).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/counter_classes.h"

namespace heddle::output {

class CounterView {
 public:
  /// `values`: in the order of registry.counters(), or empty. Without values, the view has no counters.
  CounterView(CounterClasses classes, const std::vector<std::uint64_t>& values);

  /// Returns a counter's sum over all units, such as sum("sm.issue.issued"); 0 for an unknown counter.
  std::uint64_t sum(std::string_view name) const;
  std::uint64_t units(std::string_view name) const { return counters(name).size(); }
  /// Returns the positions of the counter `name` in registry.counters(): one position for each unit that has
  /// this counter.
  const std::vector<std::size_t>& counters(std::string_view name) const;
  /// Returns the counter's sum over its units, divided by (cycles * number of these units); 0 for an unknown
  /// counter.
  double share_of_cycles(std::string_view name, std::uint64_t cycles) const;

  const std::vector<CounterClass>& classes() const { return classes_.all(); }
  /// Sums of classes(), in the same order.
  const std::vector<std::uint64_t>& sums() const { return sums_; }

 private:
  CounterClasses classes_;
  std::vector<std::uint64_t> sums_;
};

std::uint64_t sum_of(const std::vector<std::uint64_t>& values, const std::vector<std::size_t>& places);

std::vector<std::string> stall_reasons(const CounterView& counters);
/// prefix of the counters of idle issue slots; the reason for the idle slot follows the prefix
inline constexpr const char* kIdleSlots = "sm.issue.scheduler.idle_";

}  // namespace heddle::output
