#pragma once

// Counts the accesses at register banks that may be served in the current cycle ("due"), and records the
// banks at which these accesses wait.

#include <array>
#include <vector>

#include "models/core/ids.h"

namespace heddle {

class DueAccesses {
 public:
  struct Due {
    std::uint64_t accesses = 0, banks = 0;
    void add(BankId bank) {
      ++accesses;
      banks |= std::uint64_t{1} << bank.value;
    }
    void add(const Due& more) {
      accesses += more.accesses;
      banks |= more.banks;
    }
  };

  void add(Cycle now, Cycle from, BankId bank) {
    Due one;
    one.add(bank);
    if (from - now < kNear) return add_near(from, one);
    far_.push_back({from, one});
    note(one);
  }
  /// Adds accesses that may be served from cycle `from` on. `from` must be less than kNear cycles ahead.
  void add_near(Cycle from, const Due& some) {
    near_[from % kNear].add(some);
    note(some);
  }
  bool add_next(Cycle now, const Due& some) {
    if (some.accesses == 0) return false;
    add_near(now + 1, some);
    return true;
  }
  /// Adds the accesses that become due in cycle `now` (that may be served from `now` on) to the due accesses.
  /// The caller must call advance() in every cycle in which an access becomes due.
  void advance(Cycle now) {
    Due& came = near_[now % kNear];
    coming_ -= came.accesses;
    due_.add(came);
    came = {};
    if (!far_.empty()) advance_far(now);
  }
  bool some_come() const { return coming_ != 0; }
  void served(std::uint64_t accesses, std::uint64_t emptied) {
    due_.accesses -= accesses;
    due_.banks &= ~emptied;
    filled_ &= ~emptied;
  }
  std::uint64_t count() const { return due_.accesses; }
  /// Banks at which an access has become due (may be served). A bank stays in the set until its queue is
  /// empty, so the set may contain banks whose remaining accesses are not due yet.
  std::uint64_t banks() const { return due_.banks; }
  std::uint64_t filled() const { return filled_; }

 private:
  static constexpr Cycle kNear = 16;
  struct Far {
    Cycle from;
    Due due;
  };
  void note(const Due& some) {
    coming_ += some.accesses;
    filled_ |= some.banks;
  }
  void advance_far(Cycle now);

  std::array<Due, kNear> near_{};
  std::vector<Far> far_;
  Due due_;
  std::uint64_t coming_ = 0;
  std::uint64_t filled_ = 0;
};

}  // namespace heddle
