// What renaming does with each access: looked up, given an entry, or taken one.

#include <algorithm>

#include "models/regfile/renaming.h"

namespace heddle {

// An access passes behind the look-up; what is refused below has made none. A result takes along the entry that
// its instruction was given when it was announced (001, Fig. 6).
inline RegisterStage::Answer Renaming::look_up(RegisterAccess& access) {
  const bool exempted = exempt(access.warp, access.home);
  if (exempted || (access.command == RegisterCommand::write && access.instruction && at_prepare_)) {
    const Answer answer = forward(access);
    if (answer != Answer::refused) ++(exempted ? exempt_accesses_ : look_ups_);
    return answer;
  }
  const Cycle in = now(), earliest = access.earliest_service, at = table_.look_up_at(in, access.home);
  access.earliest_service = std::max(earliest, in + 1) + (at - in) + latency_;
  const Answer answer = forward(access);
  if (answer == Answer::refused) {
    access.earliest_service = earliest;
    return answer;
  }
  table_.looked_up(at, access.home);
  ++look_ups_;
  conflicts_ += at - in;
  return answer;
}

RegisterStage::Answer Renaming::accept(RegisterAccess& access) {
  if (&mapping() != &map_) return forward(access);
  begin();
  switch (access.command) {
    case RegisterCommand::read:
      access.place = find(access.warp, access.home);
      return look_up(access);
    case RegisterCommand::prepare:
      return announce(access);
    case RegisterCommand::release:
      return release(access);
    case RegisterCommand::write:
      return write(access);
    case RegisterCommand::evict:
      break;
  }
  return forward(access);
}

RegisterStage::Answer Renaming::announce(RegisterAccess& access) {
  RegisterPrepare& note = *access.prepare;
  if (at_prepare_)
    for (const RegisterWord& word : note.destination_words())
      if (claims_.comes_down(word.annotation) && !find(access.warp, word.home).set &&
          !map(access.warp, word.home))
        return refuse();
  const RegisterPlace* places = table_.row(access.warp);
  RegisterWord* const end = note.words.data() + note.sources + note.destinations;
  for (RegisterWord* word = note.words.data(); word != end; ++word) word->place = places[word->home.value];
  return forward(access);
}

// A new value written by the whole warp gets the lowest entry (001, 9.5).
bool Renaming::moves(const RegisterAccess& access, const RegisterPlace& old) const {
  if (!access.instruction || access.instruction->guard.present || (access.mask & access.live) != access.live)
    return false;
  const Availability& bank = banks_[old.bank.value];
  const std::uint32_t lowest = bank.lowest();
  return lowest < old.entry && (power_.awake(old.bank.value) >> bank.subarray_of(lowest) & 1);
}

RegisterStage::Answer Renaming::write(RegisterAccess& access) {
  const RegisterPlace old = find(access.warp, access.home);
  if (!old.set && !map(access.warp, access.home)) return refuse();
  const bool moved = old.set && !by_flags_ && moves(access, old);
  if (moved) take(access.warp, access.home, old.bank.value, true);
  access.place = old.set && !moved ? old : find(access.warp, access.home);
  const Answer answer = look_up(access);
  if (!moved) return answer;
  if (answer == Answer::refused) {  // as if nothing had been: the entry was never written
    free_entry({access.place, {}, 0, false, now()});
    table_.map(access.warp, access.home, old);
    tell_table(TablePoint::View::maps, access.warp, access.home, old);
    return answer;
  }
  ++moves_;
  if (!exempt(access.warp, access.home)) {
    ++maps_;
    ++unmaps_;
  }
  give_up_own(access.warp, access.home, old, false);
  return answer;
}

RegisterStage::Answer Renaming::release(RegisterAccess& access) {
  const RegisterPlace place = find(access.warp, access.home);
  const CtaSlot cta = claims_.cta_of(access.warp);
  const std::size_t pool = claims_.pool_of(access.warp, access.home);
  access.place = place;
  if (!place.set) {
    if (claims_.release(access.warp, access.home)) claims_.credit(cta, pool);
    return Answer::answered;
  }
  const Answer answer = forward(access);
  if (answer == Answer::refused) return answer;
  const bool charged = claims_.release(access.warp, access.home);
  table_.unmap(access.warp, access.home);
  tell_table(TablePoint::View::unmaps, access.warp, access.home, {});
  if (!exempt(access.warp, access.home)) ++unmaps_;
  if (answer == Answer::accepted) {
    leaving(place) = {&access, cta, pool, charged};
    ++leave_;
  } else {
    freed_.push_back({place, cta, pool, charged, now()});
    clock().wake_next();
  }
  return answer;
}

void Renaming::answered(RegisterAccess& access) {
  if (access.command == RegisterCommand::release && &mapping() == &map_)
    released(access);
  else
    respond(access);
}

void Renaming::released(RegisterAccess& access) {
  if (Leaving& gone = leaving(access.place); gone.access == &access) {
    freed_.push_back({access.place, gone.cta, gone.pool, gone.charged, now()});
    gone.access = nullptr;
    --leave_;
    clock().wake_next();
  }
  if (access.stage == this)
    own_free_.push_back(&access);
  else
    respond(access);
}

RegisterStage::Answer Renaming::refuse() {
  ++waits_;
  clock().wake_next();
  return Answer::refused;
}

// --- entries

bool Renaming::map(WarpId warp, RegId reg) {
  if (!claims_.claimed(warp, reg)) {
    claims_.claim(warp, reg);
    ++late_claims_;
  }
  const auto home = std::size_t{layout_.bank_of(warp, reg)};
  bool taken = take(warp, reg, home, false);
  for (std::size_t step = 1; next_bank_ && !taken && step < banks_.size(); ++step)
    taken = banks_[home].free() == 0 && take(warp, reg, (home + step) % banks_.size(), false);
  if (!taken) return false;
  if (!exempt(warp, reg)) ++maps_;
  return true;
}

bool Renaming::take(WarpId warp, RegId reg, std::size_t b, bool at_lowest) {
  Availability& bank = banks_[b];
  const auto [entry, wake] = choose(b, at_lowest);
  if (entry == Availability::kNone) {
    if (power_.gates()) power_.want(now(), b, wake);
    return false;
  }
  count_to(now());
  occupy(bank, entry);
  if (power_.gates()) {
    power_.taken(now(), b, bank.occupied());
    // Whoever waited for a subarray of this bank may be another one: it asks again.
    if (power_.wanted(b) != 0) {
      power_.want(now(), b, 0);
      asks_again_ = true;
      clock().wake_next();
    }
  }
  RegisterSet& touched = touched_[b * touched_sets_ + entry / 256];
  if (!touched.test(entry % 256)) {
    touched.set(entry % 256);
    ++touched_count_;
  }
  const RegisterPlace place{BankId(static_cast<std::uint32_t>(b)), entry, true};
  table_.map(warp, reg, place);
  tell_table(TablePoint::View::maps, warp, reg, place);
  return true;
}

AllocatorPoint::Answer Renaming::choose(std::size_t b, bool at_lowest) {
  const Availability& bank = banks_[b];
  const DomainSet awake = at_lowest ? ~DomainSet{0} : power_.awake(b);
  AllocatorPoint::Answer answer{at_lowest ? bank.lowest() : bank.choose(awake), 0};
  if (answer.entry == Availability::kNone) answer.wake = bank.to_wake(awake);
  if (watched_[b].probe.attached()) [[unlikely]]
    watched_[b].probe.answered({false, 0, awake, bank.occupied()}, answer);
  return answer;
}

// A release of the stage's own, behind every access that the banks have taken.
void Renaming::give_up_own(WarpId warp, RegId reg, const RegisterPlace& place, bool charged) {
  if (own_free_.empty()) own_free_.push_back(&own_.emplace_back());
  RegisterAccess& release = *own_free_.back();
  own_free_.pop_back();
  release = {};
  release.command = RegisterCommand::release;
  release.set_register(warp, reg);
  release.place = place;
  release.stage = this;
  release.source = RegisterAccess::kResultBus;
  leaving(place) = {&release, claims_.cta_of(warp), claims_.pool_of(warp, reg), charged};
  ++leave_;
  pending_.push_back(&release);
  if (credit_.may_send(now())) send_own();
}

void Renaming::send_own() {
  while (!pending_.empty()) {
    RegisterAccess& release = *pending_.front();
    const Answer answer = forward(release);
    if (answer == Answer::refused) {
      credit_.refused(now());
      return;
    }
    pending_.pop_front();
    if (answer == Answer::answered) answered(release);
  }
}

}  // namespace heddle
