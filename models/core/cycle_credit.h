#pragma once

// Back-pressure without an order within the cycle: who was refused waits for a sign of a later cycle.

#include "models/core/ids.h"

namespace heddle {

/// Credit of one sender: true if it may offer something. After a refusal it waits for a retry in a later
/// cycle, and sends in the cycle after that.
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

/// Credits of one receiver: true if a sender was refused and has not been notified of room. Do not notify in
/// the cycle of the refusal: the result would depend on module order.
class CycleRefusals {
 public:
  void note(Cycle now) {
    last_ = now;
    if (first_ == kNever) first_ = now;
  }
  bool any() const { return first_ != kNever; }
  /// True if it is from an earlier cycle than `now`.
  bool any_before(Cycle now) const { return first_ < now; }
  /// The first one is of cycle `now`.
  bool any_in(Cycle now) const { return first_ == now; }
  /// Notifies all senders that were refused in earlier cycles.
  void asked_again(Cycle now) { first_ = last_ == now ? now : kNever; }

 private:
  Cycle first_ = kNever, last_ = 0;  ///< since the last notification
};

}  // namespace heddle
