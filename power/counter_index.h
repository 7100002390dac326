#pragma once

// Which counters an entry of a technology means: "sm*.partition*.units.int*.operations". Patterns are
// those of models/core/wildcard.h. SMs are alike, so that counters are looked up for all of them at once.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/core/stats.h"

namespace heddle::power {

/// In place of a counter: the cycles of the time that is looked at. Every unit that counts anything has this
/// counter, under the name "cycles".
constexpr std::size_t kCycles = ~std::size_t{0};

/// A counter of one place within an SM, in all SMs that have it: "sm0.partition0.banks.reads" and its likes.
struct CounterGroup {
  std::string owner;  ///< path of the first one's unit, "sm0.partition0.units.int1"
  std::string name;   ///< "operations"
  /// The unit within its SM: numbered parts of the path after the first, "partition0.int1". Empty for what an
  /// SM has once.
  std::string unit;
  std::vector<std::size_t> counters;  ///< positions in StatsRegistry::counters(), or kCycles
  std::vector<std::string> roots;     ///< of each: the first part of its path, "sm3"

  std::string path() const { return owner + "." + name; }
};

/// A path with * in the place of its numbers: "sm0.partition1.banks" -> "sm*.partition*.banks".
std::string likes_of(const std::string& path);

/// Counters of a group that a pattern means.
struct CounterMatch {
  std::size_t group = 0;  ///< position in CounterIndex::groups()
  std::span<const std::size_t> counters;
};

class CounterIndex {
 public:
  /// The registry holds all counters.
  explicit CounterIndex(const StatsRegistry& registry);
  CounterIndex(const CounterIndex&) = delete;  ///< matches point into it
  CounterIndex& operator=(const CounterIndex&) = delete;

  /// All counters that a pattern means, group by group in the order of construction.
  std::vector<CounterMatch> find(const std::string& pattern) const;
  const std::vector<CounterGroup>& groups() const { return groups_; }

 private:
  /// A unit in all SMs, by the path of the first.
  struct Unit {
    std::string owner;
    std::vector<std::string> roots;
    std::map<std::string, std::size_t, std::less<>> groups;  ///< by the names of counters
  };
  std::size_t unit_of(std::string_view owner);
  void add(std::size_t unit, std::string_view root, std::string_view name, std::size_t counter);
  void add_cycles();
  void match(const std::string& pattern, bool all_roots, std::size_t group,
             std::vector<CounterMatch>& found) const;

  std::vector<CounterGroup> groups_;
  std::vector<Unit> units_;
  std::unordered_map<std::string, std::size_t> unit_of_path_;          ///< without the number of the SM
  std::unordered_map<std::string, std::vector<std::size_t>> by_name_;  ///< groups, in order
};

}  // namespace heddle::power
