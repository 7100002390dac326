#pragma once

// Classes of counters: "sm.partition.banks.reads" is the class of "sm3.partition0.banks.reads" and of the same
// counter of all other partitions and SMs.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/stats.h"

namespace heddle {

/// All counters of one SM, or of another part of the GPU such as the memory.
struct CounterRoot {
  std::string_view name;              ///< first part of the owners' names, such as "sm3"
  std::vector<std::size_t> counters;  ///< positions in StatsRegistry::counters(), ascending
  /// Position of the first root with the same counters in the same order; the root's own position if it is this
  /// root.
  std::size_t like = 0;
};
/// Returns the roots in the order in which they were registered.
std::vector<CounterRoot> counter_roots(const StatsRegistry& registry);

/// Returns a path without the numbers of the units: "sm3.partition0.banks" becomes "sm.partition.banks".
std::string class_of_units(std::string_view path);

struct CounterClass {
  std::string name;
  std::vector<std::size_t> counters;  ///< positions in StatsRegistry::counters()
};

/// All classes of counters of a registry. Copies share their memory.
class CounterClasses {
 public:
  /// `registry` must already contain all counters of the run.
  CounterClasses(const StatsRegistry& registry);  // NOLINT: a registry has one list of classes

  /// Returns all classes, sorted by name.
  const std::vector<CounterClass>& all() const { return *all_; }
  /// Returns the position of a class in all(); the number of classes if no class has this name.
  std::size_t position(std::string_view name) const;

 private:
  std::shared_ptr<const std::vector<CounterClass>> all_;
};

}  // namespace heddle
