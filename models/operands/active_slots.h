#pragma once

// Coordinates, in one partition, a two-level scheduler with the register stages that store values of active
// warps only. An active warp has a slot of the scheduler. Before the warp gives up its slot, these stages
// must write back or drop its values.

#include <vector>

#include "models/core/warp_set.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/register_stage.h"

namespace heddle {

class ActiveSlots final : public LifeListener {
 public:
  void add(RegisterStage& stage) { stages_.push_back(&stage); }
  /// Returns true if a register stage stores values of active warps only. If not, the caller need call no
  /// other function of this class.
  bool followed() const { return !stages_.empty(); }

  LifeSet subscriptions() const override {
    return followed() ? LifeSet{Life::warp_begins, Life::issued} : LifeSet{};
  }
  void warp_begins(const WarpBegins& warp) override {
    leaving_.remove(warp.warp);
    bound_.remove(warp.warp);
  }
  void issued(const InFlight& item) override { bound_.set(item.warp(), !may_leave(item.warp())); }

  /// Returns the warps that may give up their slot in this cycle. `drained`: warps with no instruction in a
  /// collector and no short-latency instruction in flight. `leaving`: warps that the scheduling policy wants
  /// to deschedule.
  WarpSet left_by(WarpSet drained, WarpSet leaving) const {
    if (!followed()) return drained;
    drained &= leaving_ & leaving;
    return drained ? flushed(drained) : drained;
  }
  /// Notifies the register stages of two kinds of warps: warps that begin to give up their scheduler slot,
  /// and warps that had begun to give up their slot but keep it. Must be called after the scheduling policy
  /// has chosen the warps that issue. Returns true if a warp begins to give up its slot.
  bool pass_on(WarpSet leaving, WarpSet active, WarpSet drained, WarpSet resident) {
    if (!followed()) return false;
    const WarpSet fresh = leaving & drained & ~leaving_, back = leaving_ & active & ~leaving & resident;
    if (fresh | back) notify(fresh, back);
    return !fresh.empty();
  }
  /// Returns the active warps that must keep their slot of the scheduler, because their next instructions may
  /// read entries of an operand file.
  WarpSet bound() const { return bound_; }

 private:
  WarpSet flushed(WarpSet drained) const;
  void notify(WarpSet fresh, WarpSet back);
  bool may_leave(WarpId warp) const;

  std::vector<RegisterStage*> stages_;
  WarpSet bound_ = 0;
  WarpSet leaving_ = 0;
};

}  // namespace heddle
