#pragma once

// Finds the counters that an entry of a technology file names by a pattern, such as
// "sm*.partition*.units.int*.operations". models/core/wildcard.h defines the patterns. All SMs have the same
// counters, so a pattern is matched once for all SMs.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/core/stats.h"

namespace heddle::power {

/// Index that stands for the cycles of the reported time instead of a counter. Every unit has this counter
/// under the name "cycles".
constexpr std::size_t kCycles = ~std::size_t{0};

/// The same counter in all SMs, for example "sm0.partition0.banks.reads", "sm1.partition0.banks.reads" and so
/// on.
struct CounterGroup {
  std::string owner;  ///< path of the counter's unit in the first SM, for example "sm0.partition0.units.int1"
  std::string name;   ///< name of the counter, such as "operations"
  /// Name of the unit within its SM: the numbered parts of its path without the SM, such as
  /// "partition0.int1". Empty for a unit that each SM has only once.
  std::string unit;
  /// Index of the counter of each SM in StatsRegistry::counters(). kCycles stands for the cycles of the run.
  std::vector<std::size_t> counters;
  std::vector<std::string> roots;  ///< first part of the path of each of these counters, such as "sm3"

  std::string path() const { return owner + "." + name; }
};

/// Replaces numbers in a path by *: "sm0.partition1.banks" becomes "sm*.partition*.banks".
std::string likes_of(const std::string& path);

/// Counters of a group (the same counter in all SMs) that match a pattern.
struct CounterMatch {
  std::size_t group = 0;  ///< index of the group in CounterIndex::groups()
  std::span<const std::size_t> counters;
};

class CounterIndex {
 public:
  /// Builds the index. `registry` must already contain all counters of the run.
  explicit CounterIndex(const StatsRegistry& registry);
  /// Not copyable, because results of find() point into the object.
  CounterIndex(const CounterIndex&) = delete;
  CounterIndex& operator=(const CounterIndex&) = delete;

  /// Returns the counters that match the pattern, by group. Groups are in the order in which counters were
  /// registered.
  std::vector<CounterMatch> find(const std::string& pattern) const;
  const std::vector<CounterGroup>& groups() const { return groups_; }

 private:
  /// A unit that exists in all SMs, with its path in the first SM.
  struct Unit {
    std::string owner;
    std::vector<std::string> roots;
    /// Number of the unit's counter group, by name of the counter.
    std::map<std::string, std::size_t, std::less<>> groups;
  };
  std::size_t unit_of(std::string_view owner);
  void add(std::size_t unit, std::string_view root, std::string_view name, std::size_t counter);
  void add_cycles();
  void match(const std::string& pattern, bool all_roots, std::size_t group,
             std::vector<CounterMatch>& found) const;

  std::vector<CounterGroup> groups_;
  std::vector<Unit> units_;
  /// Index of each unit in units_, by its path without the SM's number.
  std::unordered_map<std::string, std::size_t> unit_of_path_;
  /// Numbers of the groups with each counter name, in ascending order.
  std::unordered_map<std::string, std::vector<std::size_t>> by_name_;
};

}  // namespace heddle::power
