#pragma once

// How many of the waiting accesses may be served by now, and at which banks, without looking at them: they are
// counted by the cycle from which on they may.

#include <array>
#include <vector>

#include "models/core/ids.h"

namespace heddle {

class DueAccesses {
 public:
  static constexpr Cycle kNear = 64;

  void add(Cycle now, Cycle from, std::uint32_t bank) {
    if (from - now < kNear) return add_near(from, bank);
    far_.push_back({from, {1, std::uint64_t{1} << bank}});
    filled_ |= std::uint64_t{1} << bank;
  }
  /// Less than kNear cycles from now on.
  void add_near(Cycle from, std::uint32_t bank) {
    near_[from % kNear].add({1, std::uint64_t{1} << bank});
    filled_ |= std::uint64_t{1} << bank;
  }
  /// To be called in every cycle that an access was added for.
  void advance(Cycle now) {
    due_.add(near_[now % kNear]);
    near_[now % kNear] = {};
    if (!far_.empty()) advance_far(now);
  }
  void served(std::uint64_t accesses) { due_.accesses -= accesses; }
  /// Nothing waits at the bank any more.
  void emptied(std::uint32_t bank) {
    due_.banks &= ~(std::uint64_t{1} << bank);
    filled_ &= ~(std::uint64_t{1} << bank);
  }
  std::uint64_t count() const { return due_.accesses; }
  /// Banks at which accesses wait, all those among them with one that may be served by now.
  std::uint64_t banks() const { return due_.banks; }
  /// Banks at which accesses wait.
  std::uint64_t filled() const { return filled_; }

 private:
  struct Due {
    std::uint64_t accesses = 0, banks = 0;
    void add(const Due& more) {
      accesses += more.accesses;
      banks |= more.banks;
    }
  };
  struct Far {
    Cycle from;
    Due due;
  };
  void advance_far(Cycle now) {
    std::erase_if(far_, [&](const Far& far) {
      if (far.from <= now) due_.add(far.due);
      return far.from <= now;
    });
  }

  std::array<Due, kNear> near_{};
  std::vector<Far> far_;
  Due due_;
  std::uint64_t filled_ = 0;
};

}  // namespace heddle
