#pragma once

// Statistics: named counters that modules bump in place. Names, descriptions, units and owner paths are given
// once, at construction; reading happens at interval ends and at the end of a kernel.

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

/// A count of events, or of cycles spent in a state. Increment is one add on a plain word.
class Counter {
 public:
  void operator++() { ++value_; }
  void operator+=(std::uint64_t n) { value_ += n; }
  /// Takes back what has been counted within the same call.
  void operator-=(std::uint64_t n) { value_ -= n; }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

struct CounterInfo {
  std::string owner;  ///< path of the owning unit: "sm0.partition0.banks"
  std::string name;   ///< "reads"
  std::string unit;   ///< "accesses", "cycles", "warp-instructions", "lanes", "bytes"
  std::string doc;
  const Counter* counter = nullptr;
  std::string full_name() const { return owner + "." + name; }
};

/// All counters of a run, in construction order (which output sorts by name, so order never shows).
class StatsRegistry {
 public:
  /// The reference stays valid for the life of the registry.
  Counter& add(std::string owner, std::string name, std::string unit, std::string doc) {
    counters_.emplace_back();
    infos_.push_back({std::move(owner), std::move(name), std::move(unit), std::move(doc), &counters_.back()});
    return counters_.back();
  }
  const std::vector<CounterInfo>& counters() const { return infos_; }

  /// Current values in the order of counters().
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

/// Shorthand that fixes the owner: `StatsScope s(registry, "sm0.banks"); Counter& reads = s.add("reads",
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
