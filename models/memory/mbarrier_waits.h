#pragma once

// Holds mbarrier.try_wait instructions whose mbarrier phases are not complete yet. An instruction leaves the
// unit when the phases of all its lanes are complete, or after a time limit (assumed: NVIDIA does not publish
// it).

#include <vector>

#include "models/memory/shared_pipe.h"

namespace heddle {

class MbarrierWaits {
 public:
  static constexpr Cycle kLimit = 1000;
  struct Wait {
    InFlight* item = nullptr;
    int partition = 0;
    WarpAddresses addresses;
    LaneMask lanes = 0;
    Cycle until = 0;
  };

  explicit MbarrierWaits(SharedPipe& shared) : shared_(shared) {}

  bool empty() const { return waits_.empty(); }
  void add(const Wait& wait) {
    next_ = std::min(next_, wait.until);
    waits_.push_back(wait);
  }
  Cycle next() const { return next_; }
  /// Calls leave(item, partition, due) for each wait that is over.
  template <class Leave>
  void step(Cycle now, Leave&& leave) {
    if (!shared_.take_mbarrier_change() && now < next_) return;
    next_ = kNever;
    std::size_t kept = 0;
    for (const Wait& w : waits_) {
      if (now < w.until && !shared_.phases_over(*w.item, w.addresses, w.lanes)) {
        next_ = std::min(next_, w.until);
        waits_[kept++] = w;
      } else {
        leave(w.item, w.partition, shared_.finish_wait(*w.item, w.addresses, w.lanes, now));
      }
    }
    waits_.resize(kept);
  }

 private:
  SharedPipe& shared_;
  std::vector<Wait> waits_;
  Cycle next_ = kNever;
};

}  // namespace heddle
