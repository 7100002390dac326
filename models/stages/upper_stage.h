#pragma once

// Base class of the stages between collectors and banks that store values (such as register-cache and
// operand-file) or that change the row of an access (swapping).
//
// Notifications from the issue stage, and responses from the stage below, arrive at any time of a cycle. Both
// take effect in the next cycle, when begin_cycle() runs before any other function of the stage.

#include <deque>
#include <vector>
#include "models/core/cycle_inbox.h"
#include "models/core/cycle_set.h"
#include "models/isa/instruction.h"
#include "models/ports/register_stage.h"
#include "models/ports/warp_homes.h"

namespace heddle {

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

  /// Handles the event that a warp got or gave up its active slot. Called one cycle after the event.
  virtual void take_event(const Event&) {}
  virtual void give_up(WarpId warp) = 0;
  virtual void begin_cycle() = 0;
  /// Starts the stage's cycle at the first call in a cycle: calls take_event() for events of earlier cycles,
  /// then begin_cycle(). Every function that accepts an access must first call begin().
  void begin() {
    bool& begun = begun_.in(now());
    if (begun) return;
    begun = true;
    begin_now();
  }

  /// Refuses an access because this stage has no space. The sender retries in the next cycle.
  Answer refuse();
  /// Origin of an access to the stage below. If that stage refuses an access, only accesses of the same origin
  /// wait.
  enum class Sender : std::uint8_t { collectors, result_bus, own, count_ };
  Sender sender_of(const RegisterAccess& access) const {
    if (access.stage == this) return Sender::own;
    return access.source == RegisterAccess::kResultBus ? Sender::result_bus : Sender::collectors;
  }
  /// Passes an access to the stage below. After a refusal, sends no access of the same sender until the cycle
  /// after the RETRY of the stage below. Otherwise the result would depend on module order.
  Answer pass(RegisterAccess& access);
  ReadsTaken pass_reads(std::span<RegisterAccess> reads);
  bool may_send(Sender sender) const { return credits_[static_cast<std::size_t>(sender)].may_send(now()); }
  /// Both functions make flushed() true for the warp: set_flushed() from the next cycle on,
  /// set_flushed_at_once() from this cycle on.
  void set_flushed(WarpId warp) { flushed_.add(now(), warp); }
  void set_flushed_at_once(WarpId warp) { flushed_.put(warp); }

  Cycle earliest(const RegisterAccess& access) const { return std::max(access.earliest_service, now() + 1); }
  /// Sets the arrival time of a read that this stage serves in cycle `served`. The stage is no faster than a
  /// bank without conflicts: operands are fetched in the last cycle of a register access (Gebhart 2012, 4.1).
  void set_arrival(RegisterAccess& access, Cycle served) const {
    access.data_at = std::max(access.data_at, served + bank_cycles_ - 1);
  }
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
  bool room_ = false;
  CycleRefusals own_refusals_;
  CycleCredit credits_[static_cast<std::size_t>(Sender::count_)];
};

}  // namespace heddle
