#pragma once

// Decides whether a clock may run ahead of other clocks (TimeBase::run_apart). The decision depends on
// requests and responses between modules of this clock and modules of other clocks. These modules must
// report, by the functions below, when a request waits for acceptance, when a response can arrive, and when
// no work is left.

#include <algorithm>

#include "models/core/ids.h"

namespace heddle {

class Leash {
 public:
  /// Module that sends requests to another clock.
  class Sender {
   public:
    /// Called while the receiver holds a request that it has not accepted. Returns true if the module's next tick
    /// may depend on the cycle in which the receiver accepts it.
    virtual bool needs_acceptance() const = 0;

   protected:
    ~Sender() = default;
  };

  /// Sets the only module of this clock that sends requests. Without this call, every tick of the clock is assumed
  /// to depend on the acceptance of requests.
  void set_sender(const Sender& sender) { sender_ = &sender; }
  /// `unaccepted`: true if the receiver holds a request of this clock that it has not accepted.
  void set_unaccepted(bool unaccepted) { is_unaccepted_ = unaccepted; }
  /// `empty`: true if this clock has no work. New work from another clock can then arrive in any cycle.
  void set_empty(bool empty) { is_empty_ = empty; }
  /// Records that a response from the other clock can arrive from cycle `cycle` on. The record lasts until
  /// answered() is called.
  void expect_answer(Cycle cycle) { answer_at_ = std::min(answer_at_, cycle); }
  void answered() { answer_at_ = kNever; }

  /// Returns true if the clock must not run its tick of cycle `cycle` before all other clocks have reached
  /// this cycle.
  bool holds(Cycle cycle) const {
    return is_empty_ || cycle >= answer_at_ || (is_unaccepted_ && (!sender_ || sender_->needs_acceptance()));
  }

 private:
  const Sender* sender_ = nullptr;
  bool is_unaccepted_ = false, is_empty_ = true;
  Cycle answer_at_ = kNever;
};

}  // namespace heddle
