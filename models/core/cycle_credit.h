#pragma once

// Back-pressure that is independent of module order: a refused sender waits for a notification in a later
// cycle.

#include "models/core/ids.h"

namespace heddle {

/// Credit of one sender, who may send while it holds credit. After a refusal the sender waits for a retry
/// notification in a later cycle, and may send in the cycle after it.
class CycleCredit {
 public:
  bool may_send(Cycle now) const { return from_ <= now; }
  void refused(Cycle now) {
    refused_ = now;
    from_ = kNever;
  }
  void retried(Cycle now) {
    if (from_ == kNever && refused_ < now) from_ = now + 1;
  }

 private:
  Cycle from_ = 0;
  Cycle refused_ = 0;
};

/// Refusals of one receiver: whether refused senders wait for a notification that there is room. Do not
/// notify in the cycle of the refusal, because the result would depend on module order.
class CycleRefusals {
 public:
  void note(Cycle now) {
    last_ = now;
    if (first_ == kNever) first_ = now;
  }
  bool any() const { return first_ != kNever; }
  /// True if a sender was refused in an earlier cycle.
  bool any_before(Cycle now) const { return first_ < now; }
  /// True if the first refusal was in cycle `now`.
  bool any_in(Cycle now) const { return first_ == now; }
  /// Records that all senders refused in earlier cycles were notified.
  void requested_again(Cycle now) { first_ = last_ == now ? now : kNever; }

 private:
  Cycle first_ = kNever, last_ = 0;  ///< first and last refusal since the last notification
};

}  // namespace heddle
