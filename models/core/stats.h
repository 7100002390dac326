#pragma once

// Statistics: named counters that modules increment. Names, units and owners are set once, at construction.
// The simulator reads the counters at the end of each measuring interval and of each kernel.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
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

/// Name, unit or description of a counter, as an argument. A string literal is not copied: the constructor for
/// literals runs only at compile time, so it takes no array that may end or change before the program ends.
class CounterText {
 public:
  template <std::size_t N>
  consteval CounterText(const char (&literal)[N]) : text_(literal), is_literal_(true) {}  // NOLINT: a text
  template <std::convertible_to<std::string_view> Text>
  requires(!std::is_array_v<Text>) CounterText(const Text& text) : text_(text) {}  // NOLINT: a text

  std::string_view text() const { return text_; }
  bool is_literal() const { return is_literal_; }

 private:
  std::string_view text_;
  bool is_literal_ = false;
};

/// The texts are literals or belong to the registry.
struct CounterInfo {
  std::string_view owner, name, unit, doc;
  const Counter* counter = nullptr;
  std::string full_name() const {
    std::string full;
    full.reserve(owner.size() + 1 + name.size());
    return ((full += owner) += '.') += name;
  }
};

class StatsRegistry {
 public:
  StatsRegistry() = default;
  StatsRegistry(const StatsRegistry&) = delete;
  StatsRegistry& operator=(const StatsRegistry&) = delete;

  /// Adds a counter. The returned reference stays valid for the life of the registry.
  Counter& add(CounterText owner, CounterText name, CounterText unit, CounterText doc) {
    return add_to(keep(owner), name, unit, doc);
  }
  /// Returns a literal, or a copy of another text that lives as long as the registry.
  std::string_view keep(CounterText text) {
    if (text.is_literal()) return text.text();
    const auto known = texts_.find(text.text());
    return known != texts_.end() ? *known : *texts_.emplace(text.text()).first;
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
  Counter& add_to(std::string_view kept_owner, CounterText name, CounterText unit, CounterText doc) {
    counters_.emplace_back();
    infos_.push_back({kept_owner, keep(name), keep(unit), keep(doc), &counters_.back()});
    return counters_.back();
  }
  struct TextHash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::deque<Counter> counters_;
  std::vector<CounterInfo> infos_;
  std::unordered_set<std::string, TextHash, std::equal_to<>> texts_;
};

/// Adds counters of one owner. Example: `StatsScope s(registry, "sm0.banks"); Counter& reads = s.add("reads",
/// ...)`.
class StatsScope {
 public:
  StatsScope(StatsRegistry& registry, const std::string& owner)
      : registry_(&registry), owner_(registry.keep(owner)) {}
  Counter& add(CounterText name, CounterText unit, CounterText doc) const {
    return registry_->add_to(owner_, name, unit, doc);
  }
  StatsScope scope(std::string_view child) const { return {*registry_, (owner() += '.') += child}; }
  std::string owner() const { return std::string(owner_); }

 private:
  StatsRegistry* registry_;
  std::string_view owner_;
};

}  // namespace heddle
