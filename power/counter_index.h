#pragma once

// Finds the counters that a technology's entry names, such as "sm*.partition*.units.int*.operations".
// Patterns follow models/core/wildcard.h. All SMs have the same counters, so these are looked up for all SMs
// at once.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/core/stats.h"

namespace heddle::power {

/// Stands for a counter: the cycles of the reported time. Every unit has this counter under the name
/// "cycles".
constexpr std::size_t kCycles = ~std::size_t{0};

/// A counter of one unit within an SM, in all SMs: "sm0.partition0.banks.reads", "sm1.partition0.banks.reads"
/// and so on.
struct CounterGroup {
  std::string owner;  ///< path of the unit in the first SM: "sm0.partition0.units.int1"
  std::string name;   ///< such as "operations"
  /// Unit within its SM: the numbered parts of the path after the first, such as "partition0.int1". Empty for
  /// units that an SM has once.
  std::string unit;
  std::vector<std::size_t> counters;  ///< indices in StatsRegistry::counters(), or kCycles
  std::vector<std::string> roots;     ///< by counter: first part of its path, such as "sm3"

  std::string path() const { return owner + "." + name; }
};

/// Returns the path with * instead of numbers: "sm0.partition1.banks" -> "sm*.partition*.banks".
std::string likes_of(const std::string& path);

/// Counters of a group that match a pattern.
struct CounterMatch {
  std::size_t group = 0;  ///< index in CounterIndex::groups()
  std::span<const std::size_t> counters;
};

class CounterIndex {
 public:
  /// The registry must contain all counters.
  explicit CounterIndex(const StatsRegistry& registry);
  CounterIndex(const CounterIndex&) = delete;  ///< matches point into it
  CounterIndex& operator=(const CounterIndex&) = delete;

  /// Counters that match a pattern, by group in the order of construction.
  std::vector<CounterMatch> find(const std::string& pattern) const;
  const std::vector<CounterGroup>& groups() const { return groups_; }

 private:
  /// A unit in all SMs, with the path in the first SM.
  struct Unit {
    std::string owner;
    std::vector<std::string> roots;
    std::map<std::string, std::size_t, std::less<>> groups;  ///< by name of the counter
  };
  std::size_t unit_of(std::string_view owner);
  void add(std::size_t unit, std::string_view root, std::string_view name, std::size_t counter);
  void add_cycles();
  void match(const std::string& pattern, bool all_roots, std::size_t group,
             std::vector<CounterMatch>& found) const;

  std::vector<CounterGroup> groups_;
  std::vector<Unit> units_;
  std::unordered_map<std::string, std::size_t> unit_of_path_;          ///< by path without the SM's number
  std::unordered_map<std::string, std::vector<std::size_t>> by_name_;  ///< groups by counter name, in order
};

}  // namespace heddle::power
