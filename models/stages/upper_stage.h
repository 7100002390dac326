#pragma once

// Base class of stages above the banks that hold values or rows: register-cache, operand-file and swapping.
//
// They act within the calls of the port above and in the answers of the stage below. Hooks of the issue stage
// and answers from below arrive at any time of a cycle, so they take effect in the next cycle. begin_cycle()
// therefore runs before any other function of the stage in a cycle.

#include <deque>
#include <vector>
#include "models/core/cycle_inbox.h"
#include "models/core/cycle_set.h"
#include "models/isa/instruction.h"
#include "models/ports/register_stage.h"
#include "models/ports/warp_homes.h"

namespace heddle {

/// Number of 32-byte slices of an entry that contain lanes of `mask`.
inline unsigned slices_of(LaneMask mask) {
  mask |= mask >> 4;
  mask |= mask >> 2;
  mask |= mask >> 1;
  return static_cast<unsigned>(count_lanes(mask & 0x01010101u));
}

class UpperStage : public PassingStage {
 public:
  explicit UpperStage(Context& context);

  void warp_activated(WarpId warp) override { note(Event::Kind::activated, warp); }
  void warp_deactivated(WarpId warp) override;
  LifeSet subscriptions() const override { return {Life::warp_gone}; }
  void warp_gone(WarpId warp) final;
  bool flushed(WarpId warp) const override { return flushed_.contains(now(), warp); }

 protected:
  struct Event {
    enum class Kind : std::uint8_t { activated, deactivated };
    Kind kind;
    WarpId warp;
  };

  /// The warp got or gave up its active slot in an earlier cycle.
  virtual void take_event(const Event&) {}
  /// Frees everything that the stage holds of the warp.
  virtual void give_up(WarpId warp) = 0;
  virtual void begin_cycle() = 0;
  /// Runs take_event() for events of earlier cycles, then begin_cycle(), once a cycle. Functions that accept
  /// an access call it first. Warps that are gone have been freed before.
  void begin() {
    bool& begun = begun_.in(now());
    if (begun) return;
    begun = true;
    begin_now();
  }

  /// Refuses because this stage has no room. The access is retried in the next cycle.
  Answer refuse();
  /// Sender of an access to the stage below: a sender at the top of the path, or this stage. Each has its own
  /// credit.
  enum class Sender : std::uint8_t { collectors, result_bus, own, count_ };
  Sender sender_of(const RegisterAccess& access) const {
    if (access.stage == this) return Sender::own;
    return access.source == RegisterAccess::kResultBus ? Sender::result_bus : Sender::collectors;
  }
  /// Offers an access from above, or one of this stage, to the stage below. After a refusal, no access of
  /// this sender is offered until the cycle after the RETRY: the result would depend on module order.
  Answer pass(RegisterAccess& access);
  ReadsTaken pass_reads(std::span<RegisterAccess> reads);
  bool may_send(Sender sender) const { return credits_[static_cast<std::size_t>(sender)].may_send(now()); }
  /// flushed() becomes true from the next cycle on. set_flushed_at_once(): in this cycle.
  void set_flushed(WarpId warp) { flushed_.add(now(), warp); }
  void set_flushed_at_once(WarpId warp) { flushed_.put(warp); }

  /// First cycle in which storage of this stage can serve the access.
  Cycle earliest(const RegisterAccess& access) const { return std::max(access.earliest_service, now() + 1); }
  /// Sets the arrival of a read whose values are in place, with the storage read in cycle `served`. The
  /// values arrive when those of a bank read without conflicts would (Gebhart 2012, 4.1: operands are fetched
  /// in the last cycle of the access).
  void set_arrival(RegisterAccess& access, Cycle served) const {
    access.data_at = std::max(access.data_at, served + bank_cycles_ - 1);
  }
  /// Index of the warp's scheduler within the partition.
  std::size_t scheduler_of(WarpId warp) const { return homes_.scheduler_of_partition(warp); }

 private:
  void tick() final;
  void space_below() final;
  void begin_now();
  void retry_refused();
  void take_events() {
    if (events_.any(now())) take_noted();
  }
  void take_noted();
  void note(Event::Kind kind, WarpId warp);

  Cycle bank_cycles_;
  WarpHomes homes_;
  CycleInbox<Event> events_;
  CycleSet flushed_{WarpSet::all()};
  InCycle<bool> begun_;
  bool room_ = false;           ///< the stage below has room for refused accesses
  CycleRefusals own_refusals_;  ///< refusals because this stage had no room
  CycleCredit credits_[static_cast<std::size_t>(Sender::count_)];
};

}  // namespace heddle
