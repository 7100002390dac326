#pragma once

// Queue of a register stage's own releases. The stage releases the registers of an ended warp, and the old
// entries of moved registers. A release is an access without data that frees an entry.

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
  RegisterAccess* to_send(Cycle now) const {
    return pending_.empty() || !credit_.may_send(now) ? nullptr : pending_.front();
  }
  void sent() { pending_.pop_front(); }
  void refused(Cycle now) { credit_.refused(now); }
  void retried(Cycle now) { credit_.retried(now); }
  bool pending() const { return !pending_.empty(); }
  bool sends_later(Cycle now) const {
    return pending() && !credit_.may_send(now) && credit_.may_send(now + 1);
  }
  void reuse(RegisterAccess& release) { pool_.give_back(release); }

 private:
  const RegisterStage* stage_;
  ObjectPool<RegisterAccess> pool_;
  std::deque<RegisterAccess*> pending_;
  CycleCredit credit_;
};

}  // namespace heddle
