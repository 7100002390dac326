#pragma once

// Statistics: named counters that modules increment. Names, units and owners are set once, at construction.
// The simulator reads the counters at the end of each measuring interval and of each kernel.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
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

/// Name, unit or description of a counter: a string literal, whose text is not copied, or a string.
class CounterText {
 public:
  template <std::size_t N>
  constexpr CounterText(const char (&literal)[N]) : literal_(literal) {}  // NOLINT: a text is a string
  template <std::size_t N>
  CounterText(char (&buffer)[N]) = delete;  // NOLINT: use std::string
  template <class Pointer>
  requires std::is_pointer_v<Pointer> CounterText(Pointer text) : own_(text) {}  // NOLINT: a text is a string
  CounterText(std::string text) : own_(std::move(text)) {}                       // NOLINT: a text is a string
  /// Makes a CounterText from a text that is not copied. The text must live as long as the registry.
  static CounterText lasting(const char* text) {
    CounterText lasting("");
    lasting.literal_ = text;
    return lasting;
  }

  const char* literal() const { return literal_; }
  std::string& own() { return own_; }

 private:
  const char* literal_ = nullptr;
  std::string own_;
};

/// A counter with its name, unit and description. The strings belong to the registry. The counters of the
/// same name in all SMs share them.
struct CounterInfo {
  const std::string& owner;
  const std::string& name;
  const std::string& unit;
  const std::string& doc;
  const Counter* counter = nullptr;
  std::string full_name() const { return owner + "." + name; }
};

class StatsRegistry {
 public:
  StatsRegistry() = default;
  StatsRegistry(const StatsRegistry&) = delete;
  StatsRegistry& operator=(const StatsRegistry&) = delete;

  /// Adds a counter. The returned reference stays valid for the life of the registry.
  Counter& add(CounterText owner, CounterText name, CounterText unit, CounterText doc) {
    return add_to(keep(std::move(owner)), std::move(name), std::move(unit), std::move(doc));
  }
  /// Stores a copy of the text in the registry and returns it. The copy lives as long as the registry.
  const std::string& keep(CounterText text) {
    if (!text.literal()) return *texts_.insert(std::move(text.own())).first;
    const std::string*& known = literals_[text.literal()];
    if (!known) known = &*texts_.insert(text.literal()).first;
    return *known;
  }
  const std::vector<CounterInfo>& counters() const { return infos_; }

  std::vector<std::uint64_t> snapshot() const {
    std::vector<std::uint64_t> values;
    values.reserve(infos_.size());
    for (const auto& info : infos_) values.push_back(info.counter->value());
    return values;
  }

 private:
  friend class StatsScope;
  Counter& add_to(const std::string& kept_owner, CounterText name, CounterText unit, CounterText doc) {
    counters_.emplace_back();
    infos_.push_back(
        {kept_owner, keep(std::move(name)), keep(std::move(unit)), keep(std::move(doc)), &counters_.back()});
    return counters_.back();
  }

  std::deque<Counter> counters_;
  std::vector<CounterInfo> infos_;
  std::unordered_set<std::string> texts_;
  std::unordered_map<const char*, const std::string*> literals_;  ///< strings of texts_, by address
};

/// Adds counters of one owner. Example: `StatsScope s(registry, "sm0.banks"); Counter& reads = s.add("reads",
/// ...)`.
class StatsScope {
 public:
  StatsScope(StatsRegistry& registry, std::string owner)
      : registry_(&registry), owner_(&registry.keep(std::move(owner))) {}
  Counter& add(CounterText name, CounterText unit, CounterText doc) const {
    return registry_->add_to(*owner_, std::move(name), std::move(unit), std::move(doc));
  }
  StatsScope scope(const std::string& child) const { return {*registry_, *owner_ + "." + child}; }
  const std::string& owner() const { return *owner_; }

 private:
  StatsRegistry* registry_;
  const std::string* owner_;
};

}  // namespace heddle
