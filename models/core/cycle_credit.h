#pragma once

// Back-pressure without an order within the cycle: who was refused waits for a sign of a later cycle.

#include "models/core/ids.h"

namespace heddle {

/// Of one sender: whether it may offer something. After a refusal it waits until it is asked again in a later cycle,
/// and goes on in the cycle after that one.
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

/// Of one receiver: whether somebody was refused and has not been asked again. One that was refused in a cycle is not
/// asked again in the same one: whether room came before or after the refusal must not show.
class CycleRefusals {
 public:
  void note(Cycle now) {
    last_ = now;
    if (first_ == kNever) first_ = now;
  }
  bool any() const { return first_ != kNever; }
  /// Of an earlier cycle than `now`.
  bool any_before(Cycle now) const { return first_ < now; }
  /// The first one is of cycle `now`.
  bool any_in(Cycle now) const { return first_ == now; }
  /// All those of earlier cycles are asked again.
  void asked_again(Cycle now) { first_ = last_ == now ? now : kNever; }

 private:
  Cycle first_ = kNever, last_ = 0;  ///< since they were asked again
};

}  // namespace heddle
