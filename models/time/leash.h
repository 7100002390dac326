#pragma once

// Decides whether a clock may run ahead of the clocks with which it exchanges data (TimeBase::run_apart). The
// modules that send and receive these data must report changes by the functions below.

#include <algorithm>

#include "models/core/ids.h"

namespace heddle {

class Leash {
 public:
  /// Module that sends requests to another clock.
  class Sender {
   public:
    /// Returns a cycle before which the module sends no request. kNever: the module sends no request until
    /// data arrive.
    virtual Cycle next_send() const = 0;

   protected:
    ~Sender() = default;
  };

  /// Sets the only module of this clock that sends requests. Without this call, every tick
  /// of the clock is assumed to send a request.
  void set_sender(const Sender& sender) { sender_ = &sender; }
  /// Sets whether the receiver may have no space for the next request of this clock.
  void set_entry_full(bool full) { is_entry_full_ = full; }
  /// Sets whether this clock has no work. New work from another clock can then arrive in any cycle.
  void set_empty(bool empty) { is_empty_ = empty; }
  /// Records that an answer of the other clock can arrive from cycle `cycle` on. The record lasts until
  /// answered() is called.
  void expect_answer(Cycle cycle) { answer_at_ = std::min(answer_at_, cycle); }
  void answered() { answer_at_ = kNever; }

  /// Returns true if the clock must not run its tick of cycle `cycle` before all other clocks have reached
  /// this cycle.
  bool holds(Cycle cycle) const {
    return is_empty_ || cycle >= answer_at_ ||
           (is_entry_full_ && (!sender_ || sender_->next_send() <= cycle));
  }

 private:
  const Sender* sender_ = nullptr;
  bool is_entry_full_ = false, is_empty_ = true;
  Cycle answer_at_ = kNever;
};

}  // namespace heddle
