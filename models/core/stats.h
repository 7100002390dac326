#pragma once

// Statistics: named counters that modules increment. Names, descriptions, units and owners of the counters
// are given once, at construction. Counters are read at the end of intervals and kernels.

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

/// Counter of events, or of cycles in a state. An increment costs one addition to a word in memory.
class Counter {
 public:
  void operator++() { ++value_; }
  void operator+=(std::uint64_t n) { value_ += n; }
  /// Takes back events that the same function call has counted.
  void operator-=(std::uint64_t n) { value_ -= n; }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

struct CounterInfo {
  std::string owner;  ///< path of the module that owns the counter, such as "sm0.partition0.banks"
  std::string name;   ///< name of the counter, such as "reads"
  std::string unit;   ///< unit: "accesses", "cycles", "warp-instructions", "lanes", "bytes" and others
  std::string doc;
  const Counter* counter = nullptr;
  std::string full_name() const { return owner + "." + name; }
};

/// All counters of a run, in the order in which they were added. Outputs sort them by name.
class StatsRegistry {
 public:
  /// Adds a counter. The returned reference stays valid for the life of the registry.
  Counter& add(std::string owner, std::string name, std::string unit, std::string doc) {
    counters_.emplace_back();
    infos_.push_back({std::move(owner), std::move(name), std::move(unit), std::move(doc), &counters_.back()});
    return counters_.back();
  }
  const std::vector<CounterInfo>& counters() const { return infos_; }

  /// Returns the current values of all counters, in the order of counters().
  std::vector<std::uint64_t> snapshot() const {
    std::vector<std::uint64_t> values;
    values.reserve(infos_.size());
    for (const auto& info : infos_) values.push_back(info.counter->value());
    return values;
  }

 private:
  std::deque<Counter> counters_;
  std::vector<CounterInfo> infos_;
};

/// Adds counters that all have the same owner. Example: `StatsScope s(registry, "sm0.banks"); Counter& reads
/// = s.add("reads", ...)`.
class StatsScope {
 public:
  StatsScope(StatsRegistry& registry, std::string owner) : registry_(&registry), owner_(std::move(owner)) {}
  Counter& add(std::string name, std::string unit, std::string doc) const {
    return registry_->add(owner_, std::move(name), std::move(unit), std::move(doc));
  }
  StatsScope scope(const std::string& child) const { return {*registry_, owner_ + "." + child}; }
  const std::string& owner() const { return owner_; }

 private:
  StatsRegistry* registry_;
  std::string owner_;
};

}  // namespace heddle
