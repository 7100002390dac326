#pragma once

// Holds the releases that wait at the banks. A release is an access without data; it frees a register's bank
// entry. The release takes effect at the end of a later cycle, as soon as no older access to the entry waits.
// Until then, the banks refuse other accesses to the entry.

#include <span>
#include <vector>

#include "models/banks/bank_queue.h"
#include "models/core/cycle_inbox.h"
#include "models/core/cycle_set.h"
#include "models/core/growing_array.h"

namespace heddle {

class BankReleases {
 public:
  struct Release {
    RegisterAccess* access;
    StoredRegister reg;
    std::uint32_t order;
  };

  void add(Cycle now, const Release& release) {
    waiting_.put(now, release);
    banks_ |= std::uint64_t{1} << release.reg.place.bank.value;
  }
  bool any() const { return banks_ != 0; }
  bool any_at(BankId bank) const { return banks_ >> bank.value & 1; }
  /// Returns true if the release of a register waits at the bank, or took effect in cycle `now`. `order`:
  /// number by which the banks identify the register's data (EntryFormat::order_of).
  bool holds(Cycle now, BankId bank, std::uint32_t order) const {
    return holds(waiting_, bank, order) || (ending_.in(now) && holds(ended_, bank, order));
  }
  /// Returns the releases that take effect in cycle `now`. The span is valid until the next call. Must be
  /// called in every cycle while any() is true.
  template <class Queue>
  std::span<const Release> end(Cycle now, const std::vector<Queue>& queues);
  const CycleSignal& ended() const { return ending_; }

 private:
  template <class Releases>
  static bool holds(const Releases& releases, BankId bank, std::uint32_t order) {
    for (const Release& release : releases)
      if (release.order == order && release.reg.place.bank == bank) return true;
    return false;
  }

  CycleInbox<Release> waiting_;
  GrowingArray<Release> ended_;
  CycleSignal ending_;
  std::uint64_t banks_ = 0;
};

template <class Queue>
std::span<const BankReleases::Release> BankReleases::end(Cycle now, const std::vector<Queue>& queues) {
  if (!ended_.empty()) {
    ended_.shrink(0);
    banks_ = 0;
    for (const Release& release : waiting_) banks_ |= std::uint64_t{1} << release.reg.place.bank.value;
  }
  waiting_.erase_if(now, [&](const Release& release) {
    const Queue& queue = queues[release.reg.place.bank.value];
    if (queue.waits_for(release.order, queue.size(), false)) return false;
    ended_.push_back(release);
    return true;
  });
  if (!ended_.empty()) ending_.give(now);
  return {ended_.begin(), ended_.size()};
}

}  // namespace heddle
