#pragma once

// Coordinates active slots between scheduling and the stages above the banks, for the register path of one
// partition. A warp that gives up its slot first leaves the storage of these stages. It does not leave
// between instructions that pass values through this storage. The scheduler needs the answers in the same
// cycle, so this uses calls instead of events (RegisterStage::flushed, may_leave).

#include <vector>

#include "models/core/warp_set.h"
#include "models/ports/i_life_listener.h"
#include "models/ports/register_stage.h"

namespace heddle {

class ActiveSlots final : public LifeListener {
 public:
  void add(RegisterStage& stage) { stages_.push_back(&stage); }
  /// True if a stage follows active slots. Otherwise no function of this class need be called.
  bool followed() const { return !stages_.empty(); }

  LifeSet subscriptions() const override {
    return followed() ? LifeSet{Life::warp_begins, Life::issued} : LifeSet{};
  }
  void warp_begins(const WarpBegins& warp) override {
    leaving_.remove(warp.warp);
    bound_.remove(warp.warp);
  }
  void issued(const InFlight& item) override { bound_.set(item.warp(), !may_leave(item.warp())); }

  /// Returns the `drained` warps of a scheduler that may leave their slot in this cycle. `leaving`: warps
  /// that the policy wants to leave.
  WarpSet left_by(WarpSet drained, WarpSet leaving) const {
    if (!followed()) return drained;
    drained &= leaving_ & leaving;
    return drained ? flushed(drained) : drained;
  }
  /// Called after the policy has chosen. Notifies the stages of `drained` warps that leave, and of warps in
  /// `resident` that had left and are `active` again. Returns true if a warp leaves.
  bool pass_on(WarpSet leaving, WarpSet active, WarpSet drained, WarpSet resident) {
    if (!followed()) return false;
    const WarpSet fresh = leaving & drained & ~leaving_, back = leaving_ & active & ~leaving & resident;
    if (fresh | back) notify(fresh, back);
    return !fresh.empty();
  }
  /// Warps that keep their slot, because they are between instructions that pass values through entries.
  WarpSet bound() const { return bound_; }

 private:
  WarpSet flushed(WarpSet drained) const;
  void notify(WarpSet fresh, WarpSet back);
  bool may_leave(WarpId warp) const;

  std::vector<RegisterStage*> stages_;
  WarpSet bound_ = 0;
  WarpSet leaving_ = 0;  ///< warps whose leaving was reported to the stages
};

}  // namespace heddle
