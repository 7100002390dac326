#pragma once

// Which counters an entry of a technology means: "sm*.partition*.units.int*.operations". Patterns are
// those of models/core/wildcard.h.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/stats.h"

namespace heddle::power {

/// One counter that a pattern means.
struct CounterMatch {
  /// Position in StatsRegistry::counters(), or kCycles.
  std::size_t counter = 0;
  /// The unit within its SM: numbered parts of the path behind the first, "partition0.int1". Empty for what
  /// an SM has once.
  std::string unit;
  std::string owner;  ///< path of the owning unit, "sm0.partition0.units.int1"
};

/// In place of a counter: the cycles of the time that is looked at. Every unit that counts anything has this
/// counter, under the name "cycles".
constexpr std::size_t kCycles = ~std::size_t{0};

/// All counters that a pattern means, in the order of construction.
std::vector<CounterMatch> find_counters(const StatsRegistry& registry, const std::string& pattern);

}  // namespace heddle::power
