#pragma once

// What the stages above the banks share that hold values of their own: register-cache and operand-file.
//
// They act within the calls of the port above and in the answers of the stage below. Hooks of the issue stage
// and answers from below reach them at any time of a cycle, so what these bring takes effect from the next
// cycle on: begin_cycle() runs before anything else happens here in a cycle.

#include <deque>
#include <vector>

#include "models/isa/instruction.h"
#include "models/ports/register_stage.h"

namespace heddle {

/// 32-byte slices of an entry that hold lanes of `mask`.
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
  void warp_ends(WarpId warp) override { note(Event::Kind::ended, warp); }
  bool flushed(WarpId warp) const override { return flushed_at_[warp.value] < now(); }

 protected:
  struct Event {
    enum class Kind : std::uint8_t { activated, deactivated, ended };
    Kind kind;
    WarpId warp;
    Cycle at;
  };

  /// An access from above, as accept() (register_stage.h).
  virtual Answer take(RegisterAccess& access) = 0;
  virtual void take_event(const Event& event) = 0;
  virtual void begin_cycle() = 0;

  /// Refuses for lack of room of one's own: asks for the access again in the next cycle.
  Answer refuse();
  /// Offers an access from above, or one's own, below. Once the stage below has refused one, no other is
  /// offered until the cycle behind its RETRY: whoever runs first in a cycle must not show.
  Answer pass(RegisterAccess& access) { return send(access) ? Answer::accepted : Answer::refused; }
  bool send(RegisterAccess& access);
  bool may_send() const { return may_send_; }
  void set_flushed(WarpId warp, Cycle at) { flushed_at_[warp.value] = at; }

  /// The first cycle in which storage here can serve the access.
  Cycle earliest(const RegisterAccess& access) const { return std::max(access.earliest_service, now() + 1); }
  /// Answers a read whose values are in place and whose storage is read in cycle `served`: they arrive when
  /// those of an undisturbed read of the banks would (000, 4.1: operands are fetched in the last cycle of the
  /// access).
  void answer_read(RegisterAccess& access, Cycle served) {
    access.data_at = std::max(access.data_at, served + bank_cycles_ - 1);
    respond(access);
  }
  /// Index of the warp's scheduler within the partition.
  std::size_t scheduler_of(WarpId warp) const {
    return warp.value / partitions_ % static_cast<std::size_t>(schedulers_);
  }

 private:
  Answer accept(RegisterAccess& access) final;
  void tick() final;
  void space_below() final;
  /// Runs take_event for what happened in earlier cycles, then begin_cycle, once a cycle.
  void begin();
  void ask_again();
  void note(Event::Kind kind, WarpId warp);

  Cycle bank_cycles_;
  std::uint32_t partitions_;
  int schedulers_;
  std::vector<Event> events_;
  std::vector<Cycle> flushed_at_;
  Cycle began_ = kNever;
  Cycle refused_in_ = kNever;  ///< first refusal since the last RETRY up
  bool room_ = false;          ///< there may be room for what was refused
  Cycle retried_in_ = kNever;  ///< a RETRY came in this cycle: traffic below goes on in the next one
  bool may_send_ = true;
};

}  // namespace heddle
