#pragma once

// Registers that are being released at the banks. A release takes effect at the end of the first cycle after the one in
// which it came that no older access to the entry waits beyond; until that cycle is over, other accesses to the entry
// are refused. None of this depends on who runs first in a cycle.

#include <span>
#include <vector>

#include "models/banks/bank_queue.h"
#include "models/core/growing_array.h"

namespace heddle {

class BankReleases {
 public:
  struct Release {
    RegisterAccess* access;
    StoredRegister reg;
    std::uint32_t order;  ///< EntryFormat::order_of
    Cycle at;             ///< it came
  };

  void add(const Release& release) {
    waiting_.push_back(release);
    banks_ |= std::uint64_t{1} << release.reg.place.bank.value;
  }
  bool any() const { return banks_ != 0; }
  bool any_at(BankId bank) const { return banks_ >> bank.value & 1; }
  /// Whether one of that order waits, or took effect in `now`.
  bool holds(Cycle now, BankId bank, std::uint32_t order) const {
    return holds(waiting_, bank, order) || (ended_in_ == now && holds(ended_, bank, order));
  }
  /// Those that take effect in `now`, until the next call. To be called in every cycle in which there are any().
  std::span<const Release> end(Cycle now, const std::vector<BankQueue>& queues);
  /// The last cycle in which one took effect; kNever if none has.
  Cycle ended_in() const { return ended_in_; }

 private:
  static bool holds(const GrowingArray<Release>& releases, BankId bank, std::uint32_t order) {
    for (const Release& release : releases)
      if (release.order == order && release.reg.place.bank == bank) return true;
    return false;
  }

  GrowingArray<Release> waiting_;
  GrowingArray<Release> ended_;  ///< in ended_in_
  std::uint64_t banks_ = 0;      ///< of both
  Cycle ended_in_ = kNever;
};

inline std::span<const BankReleases::Release> BankReleases::end(Cycle now,
                                                                const std::vector<BankQueue>& queues) {
  Release* kept = waiting_.begin();
  std::uint64_t banks = 0;
  ended_.shrink(0);
  for (const Release& release : waiting_) {
    const std::uint32_t b = release.reg.place.bank.value;
    banks |= std::uint64_t{1} << b;
    if (release.at == now || queues[b].waits_for(release.order, queues[b].size(), false)) {
      if (kept != &release) *kept = release;
      ++kept;
      continue;
    }
    ended_.push_back(release);
  }
  banks_ = banks;
  waiting_.shrink(static_cast<std::size_t>(kept - waiting_.begin()));
  if (!ended_.empty()) ended_in_ = now;
  return {ended_.begin(), ended_.size()};
}

}  // namespace heddle
