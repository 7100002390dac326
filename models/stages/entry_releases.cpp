#include "models/stages/entry_releases.h"

namespace heddle {

bool EntryReleases::taken(Cycle now, const RegisterAccess& release, RegisterAnswer answer) {
  const bool charged = claims_ && claims_->release(release.warp, release.home);
  entries_->unmap(release.warp, release.home);
  if (answer == RegisterAnswer::accepted) {
    leave(release, charged);
    return false;
  }
  freed_.put(now, {release.place, charge_of(release, charged)});
  return true;
}

bool EntryReleases::answered(Cycle now, const RegisterAccess& release) {
  Leaving& gone = leaving_[entries_->number_of(release.place)];
  if (gone.access != &release) return false;
  freed_.put(now, {release.place, gone.charge});
  gone.access = nullptr;
  --leave_;
  return true;
}

bool EntryReleases::free(Cycle now, bool gates) {
  if (!freed_.any(now)) return false;
  freed_.take(now, [&](const Freed& freed) {
    entries_->free(now, freed.place, gates);
    credit(freed.charge);
  });
  return true;
}

void EntryReleases::free_all(Cycle now) {
  freed_.take(kNever, [&](const Freed& freed) {
    entries_->free(now, freed.place, false);
    credit(freed.charge);
  });
}

void EntryReleases::give_up(WarpId warp, RegId reg, const RegisterPlace& place, bool charged) {
  if (own_free_.empty()) own_free_.push_back(&own_.emplace_back());
  RegisterAccess& release = *own_free_.back();
  own_free_.pop_back();
  release = {};
  release.command = RegisterCommand::release;
  release.set_register(warp, reg);
  release.place = place;
  release.stage = stage_;
  release.source = RegisterAccess::kResultBus;
  leave(release, charged && claims_);
  pending_.push_back(&release);
}

}  // namespace heddle
