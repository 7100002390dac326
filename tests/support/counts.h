#pragma once

// Provides the counters of a run by name, and sums of counters.

#include <cstdint>
#include <map>
#include <string>

#include "models/core/stats.h"

namespace heddle::testing_support {

using Counts = std::map<std::string, std::uint64_t>;

inline Counts counts_of(const StatsRegistry& stats) {
  Counts counts;
  for (const CounterInfo& info : stats.counters()) counts[info.full_name()] = info.counter->value();
  return counts;
}

inline std::uint64_t sum_of(const Counts& counts, const std::string& part, const std::string& ending) {
  std::uint64_t sum = 0;
  for (const auto& [name, value] : counts)
    if (name.find(part) != std::string::npos && name.ends_with(ending)) sum += value;
  return sum;
}

inline std::uint64_t sum_of(const StatsRegistry& stats, const std::string& ending) {
  std::uint64_t sum = 0;
  for (const CounterInfo& info : stats.counters())
    if (info.full_name().ends_with(ending)) sum += info.counter->value();
  return sum;
}

}  // namespace heddle::testing_support
