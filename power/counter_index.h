#pragma once

// Finds the counters that a technology file names by a pattern, such as
// "sm*.partition*.units.int*.operations" (models/core/wildcard.h). All SMs have the same counters, so a
// pattern is matched once for all.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/core/counter_classes.h"

namespace heddle::power {

/// Value of a counter's index that stands for the number of cycles of the reported launch, run or interval. A
/// pattern can name this number as the counter "cycles" of any unit.
constexpr std::size_t kCycles = ~std::size_t{0};

/// The same counter in all SMs: "sm0.partition0.banks.reads", "sm1.partition0.banks.reads" and so on.
struct CounterGroup {
  std::string owner;  ///< path of the unit in the first SM, such as "sm0.partition0.units.int1"
  std::string name;
  /// Name of the unit within its SM: the numbered parts of the unit's path, such as "partition0.int1". Empty
  /// for a unit that each SM has only once.
  std::string unit;
  /// Index in StatsRegistry::counters() for each SM; kCycles: the number of cycles instead of a counter.
  std::vector<std::size_t> counters;
  /// Names of these SMs, in the same order. They belong to the registry.
  std::vector<std::string_view> roots;

  std::string path() const { return owner + "." + name; }
};

/// Replaces the numbers in a path by "*": "sm0.partition1.banks" becomes "sm*.partition*.banks".
std::string likes_of(const std::string& path);

/// Counters of a group (the same counter in all SMs) that match a pattern.
struct CounterMatch {
  std::size_t group = 0;
  std::span<const std::size_t> counters;
};

class CounterIndex {
 public:
  /// `registry` must already contain all counters of the run, and outlive this object.
  explicit CounterIndex(const StatsRegistry& registry);
  /// Not copyable, because results of find() point into the object.
  CounterIndex(const CounterIndex&) = delete;
  CounterIndex& operator=(const CounterIndex&) = delete;

  /// Returns the counters that match the pattern, group by group, in the order in which they were registered.
  std::vector<CounterMatch> find(const std::string& pattern) const;
  const std::vector<CounterGroup>& groups() const { return groups_; }

 private:
  /// A unit that exists in all SMs, with its path in the first SM.
  struct Unit {
    std::string owner;
    std::vector<std::string_view> roots;
    std::map<std::string, std::size_t, std::less<>> groups;
  };
  /// Units of an SM, and the group of each of its counters. All SMs with the same counters share it.
  struct Shape {
    std::vector<std::size_t> units, groups;
  };
  Shape shape_of(const std::vector<CounterInfo>& infos, const CounterRoot& root);
  std::size_t unit_of(std::string_view owner, Shape& shape);
  std::size_t group_of(std::size_t unit, std::string_view name);
  void add_cycles();
  void match(const std::string& pattern, bool all_roots, std::size_t group,
             std::vector<CounterMatch>& found) const;

  std::vector<CounterGroup> groups_;
  std::vector<Unit> units_;
  std::unordered_map<std::string, std::size_t> unit_of_path_;
  /// For each counter name: the groups with this name, in ascending order.
  std::unordered_map<std::string, std::vector<std::size_t>> by_name_;
};

}  // namespace heddle::power
