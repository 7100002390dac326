#pragma once

// Registers that are being released at the banks. A release takes effect at the end of a cycle, the first one
// after its arrival in which no older access to the entry waits. Until the end of this cycle, other accesses
// to the entry are refused. The result is independent of module order.

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
    std::uint32_t order;  ///< EntryFormat::order_of
  };

  void add(Cycle now, const Release& release) {
    waiting_.put(now, release);
    banks_ |= std::uint64_t{1} << release.reg.place.bank.value;
  }
  bool any() const { return banks_ != 0; }
  bool any_at(BankId bank) const { return banks_ >> bank.value & 1; }
  /// True if a release of this order waits, or took effect in `now`.
  bool holds(Cycle now, BankId bank, std::uint32_t order) const {
    return holds(waiting_, bank, order) || (ending_.in(now) && holds(ended_, bank, order));
  }
  /// Returns the releases that take effect in `now`. The result is valid until the next call. Must be called
  /// in every cycle while any() is true.
  template <class Queue>
  std::span<const Release> end(Cycle now, const std::vector<Queue>& queues);
  /// Signal of the cycles in which a release took effect.
  const CycleSignal& ended() const { return ending_; }

 private:
  template <class Releases>
  static bool holds(const Releases& releases, BankId bank, std::uint32_t order) {
    for (const Release& release : releases)
      if (release.order == order && release.reg.place.bank == bank) return true;
    return false;
  }

  CycleInbox<Release> waiting_;
  GrowingArray<Release> ended_;  ///< releases of the last cycle in which any took effect
  CycleSignal ending_;
  std::uint64_t banks_ = 0;  ///< banks of waiting_ and ended_, one bit each
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
