#pragma once

// Back-pressure between modules that is independent of module order: a refused sender waits for a
// notification in a later cycle.

#include "models/core/ids.h"

namespace heddle {

/// Right of one sender to send. A refusal takes this credit away. If the receiver notifies the sender to
/// retry, the sender holds credit from the next cycle on.
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

/// Records the refusals by one receiver. When the receiver has space again, it must notify the refused senders.
/// The notification must not come in the cycle of the refusal, because results would then depend on module
/// order.
class CycleRefusals {
 public:
  void note(Cycle now) {
    last_ = now;
    if (first_ == kNever) first_ = now;
  }
  bool any() const { return first_ != kNever; }
  bool any_before(Cycle now) const { return first_ < now; }
  bool any_in(Cycle now) const { return first_ == now; }
  /// Must be called when the receiver has notified the senders that it refused in earlier cycles. Removes the
  /// record of these refusals; a refusal of cycle `now` stays recorded.
  void requested_again(Cycle now) { first_ = last_ == now ? now : kNever; }

 private:
  Cycle first_ = kNever, last_ = 0;
};

}  // namespace heddle
