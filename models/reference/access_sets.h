#pragma once

// Stores sets of accesses to memory words. Each word stores only the number of its set, so several words can
// share a set. A set never changes after it is made. An event describes an access. If several warps of a CTA
// make the same access in the same epoch (happens_before.h), these warps share one event.

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::reference {

struct AccessEvent {
  std::uint32_t cta = 0;
  std::uint32_t epoch = 0;  ///< epoch of the warps at the access (happens_before.h)
  std::uint32_t pc = 0;
  std::uint8_t bytes = 0;  ///< bit mask of the accessed bytes of the word
  bool ordered = false;
  bool operator==(const AccessEvent&) const = default;
};

struct Accessors {
  std::uint32_t event = 0;
  std::uint32_t warps = 0;
};

class AccessSets {
 public:
  /// Number of a set; 0 = the empty set.
  using Number = std::uint32_t;
  static constexpr std::size_t kMostSets = std::size_t{1} << 25;
  static constexpr std::size_t kMostMembers = 32;

  std::uint32_t add(const AccessEvent& event) {
    events_.push_back(event);
    return static_cast<std::uint32_t>(events_.size());
  }
  const AccessEvent& event(std::uint32_t number) const { return events_[number - 1]; }
  std::uint32_t latest() const { return static_cast<std::uint32_t>(events_.size()); }

  /// Makes a set and returns its number. `closed`: true if the set takes no further access. Either the set is
  /// full (kMostMembers), or every later write races with one of its members anyway.
  Number make(std::span<const Accessors> members, bool closed) {
    if (members.empty()) return 0;
    Set set{static_cast<std::uint32_t>(pool_.size()), static_cast<std::uint16_t>(members.size()), closed,
            true};
    for (const Accessors& a : members) {
      pool_.push_back(a);
      set.ordered = set.ordered && event(a.event).ordered;
    }
    sets_.push_back(set);
    return static_cast<Number>(sets_.size());
  }
  std::span<const Accessors> members(Number set) const {
    if (set == 0) return {};
    return {pool_.data() + sets_[set - 1].begin, sets_[set - 1].count};
  }
  Number latest_set() const { return static_cast<Number>(sets_.size()); }
  /// Returns true if all accesses of the set are atomic or volatile.
  bool is_ordered(Number set) const { return set == 0 || sets_[set - 1].ordered; }
  bool is_closed(Number set) const { return set != 0 && sets_[set - 1].closed; }

  bool holds_more_than(std::size_t sets) const { return events_.size() > sets || pool_.size() > sets; }
  bool is_full() const { return holds_more_than(kMostSets); }
  void clear() {
    events_.clear();
    sets_.clear();
    pool_.clear();
  }

 private:
  struct Set {
    std::uint32_t begin = 0;
    std::uint16_t count = 0;
    bool closed = false, ordered = false;
  };
  std::vector<AccessEvent> events_;
  std::vector<Set> sets_;
  std::vector<Accessors> pool_;
};

}  // namespace heddle::reference
