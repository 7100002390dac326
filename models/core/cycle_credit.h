#pragma once

// Back-pressure between modules whose result is independent of module order: a refused sender waits for a
// notification in a later cycle.

#include "models/core/ids.h"

namespace heddle {

/// Credit of one sender, which may send while it holds credit. A refusal takes the credit away. In a later
/// cycle, the receiver sends a retry notification. The sender holds credit again from the next cycle on.
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

/// Refusals of one receiver, which must notify the refused senders when it has room again. Do not notify in
/// the cycle of the refusal, because the result would depend on module order.
class CycleRefusals {
 public:
  void note(Cycle now) {
    last_ = now;
    if (first_ == kNever) first_ = now;
  }
  bool any() const { return first_ != kNever; }
  /// Returns true if a sender was refused in an earlier cycle and has not been notified since.
  bool any_before(Cycle now) const { return first_ < now; }
  /// Returns true if the first refusal since the last notification was in cycle `now`.
  bool any_in(Cycle now) const { return first_ == now; }
  /// Records that all senders that were refused in earlier cycles have been notified to retry.
  void requested_again(Cycle now) { first_ = last_ == now ? now : kNever; }

 private:
  /// Cycles of the first refusal since the last notification (kNever if there is none) and of the last
  /// refusal.
  Cycle first_ = kNever, last_ = 0;
};

}  // namespace heddle
