#pragma once

// How scheduling and the stages above the banks agree about active slots: a warp that gives up its slot leaves their
// storage first, and does not leave between instructions that pass values through it. Both need an answer in the cycle:
// this is no event but a question (RegisterStage::flushed, may_leave), of the path of one partition.

#include <vector>

#include "models/core/warp_set.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/register_stage.h"

namespace heddle {

class ActiveSlots final : public LifeListener {
 public:
  void add(RegisterStage& stage) { stages_.push_back(&stage); }
  /// Some stage follows active slots; otherwise none of these functions need be called.
  bool followed() const { return !stages_.empty(); }

  LifeSet hears() const override { return followed() ? LifeSet{Life::warp_begins, Life::issued} : LifeSet{}; }
  void warp_begins(const WarpBegins& warp) override {
    leaving_.remove(warp.warp);
    bound_.remove(warp.warp);
  }
  void issued(const InFlight& item) override { bound_.set(item.warp(), !may_leave(item.warp())); }

  /// Among the `drained` warps of a scheduler, those that may leave their slot in this cycle; `leaving`:
  /// those whose policy requests it.
  WarpSet left_by(WarpSet drained, WarpSet leaving) const {
    if (!followed()) return drained;
    drained &= leaving_ & leaving;
    return drained ? flushed(drained) : drained;
  }
  /// The policy has chosen: among its warps that leave, the `drained` ones leave the stages; warps of
  /// `resident` that are `active` again and had left come back. True if the stages were notified of a leaving
  /// warp.
  bool pass_on(WarpSet leaving, WarpSet active, WarpSet drained, WarpSet resident) {
    if (!followed()) return false;
    const WarpSet fresh = leaving & drained & ~leaving_, back = leaving_ & active & ~leaving & resident;
    if (fresh | back) tell(fresh, back);
    return !fresh.empty();
  }
  /// Warps between instructions that pass values through entries: they keep their slot.
  WarpSet bound() const { return bound_; }

 private:
  WarpSet flushed(WarpSet drained) const;
  void tell(WarpSet fresh, WarpSet back);
  bool may_leave(WarpId warp) const;

  std::vector<RegisterStage*> stages_;
  WarpSet bound_ = 0;
  WarpSet leaving_ = 0;  ///< the stages know that they give up their active slot
};

}  // namespace heddle
