#pragma once

// Statistics: named counters that modules increment. Names, units and owners are set once, at construction.
// The simulator reads the counters at the end of each measuring interval and of each kernel.

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

class Counter {
 public:
  void operator++() { ++value_; }
  void operator+=(std::uint64_t n) { value_ += n; }
  void operator-=(std::uint64_t n) { value_ -= n; }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

struct CounterInfo {
  std::string owner;
  std::string name;
  std::string unit;
  std::string doc;
  const Counter* counter = nullptr;
  std::string full_name() const { return owner + "." + name; }
};

class StatsRegistry {
 public:
  /// Adds a counter. The returned reference stays valid for the life of the registry.
  Counter& add(std::string owner, std::string name, std::string unit, std::string doc) {
    counters_.emplace_back();
    infos_.push_back({std::move(owner), std::move(name), std::move(unit), std::move(doc), &counters_.back()});
    return counters_.back();
  }
  const std::vector<CounterInfo>& counters() const { return infos_; }

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

/// Adds counters of one owner. Example: `StatsScope s(registry, "sm0.banks"); Counter& reads = s.add("reads",
/// ...)`.
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
