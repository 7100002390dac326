#pragma once

// Queue of releases (accesses without data that free an entry) that a register stage creates itself: for
// registers of an ended warp, and for old entries of registers that were moved. Releases wait while the next
// stage has no room.

#include <deque>

#include "models/core/cycle_credit.h"
#include "models/core/object_pool.h"
#include "models/ports/register_stage.h"

namespace heddle {

class OwnReleases {
 public:
  explicit OwnReleases(const RegisterStage& stage) : stage_(&stage) {}

  RegisterAccess& add(WarpId warp, RegId reg, const RegisterPlace& place) {
    RegisterAccess& release = pool_.take();
    release = {};
    release.command = RegisterCommand::release;
    release.set_register(warp, reg);
    release.place = place;
    release.stage = stage_;
    release.source = RegisterAccess::kResultBus;
    pending_.push_back(&release);
    return release;
  }
  /// Returns the next release to send, or nullptr if the queue is empty or the next stage has no room.
  RegisterAccess* to_send(Cycle now) const {
    return pending_.empty() || !credit_.may_send(now) ? nullptr : pending_.front();
  }
  void sent() { pending_.pop_front(); }
  void refused(Cycle now) { credit_.refused(now); }
  void retried(Cycle now) { credit_.retried(now); }
  bool pending() const { return !pending_.empty(); }
  /// Returns true if the next release must wait in this cycle but can be sent in the next cycle.
  bool sends_later(Cycle now) const {
    return pending() && !credit_.may_send(now) && credit_.may_send(now + 1);
  }
  /// Takes back the storage of a release that the banks have answered.
  void reuse(RegisterAccess& release) { pool_.give_back(release); }

 private:
  const RegisterStage* stage_;
  ObjectPool<RegisterAccess> pool_;
  std::deque<RegisterAccess*> pending_;  ///< releases that the next stage has not accepted, oldest first
  CycleCredit credit_;
};

}  // namespace heddle
