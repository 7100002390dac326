// What renaming does with each access: looked up, given an entry, or taken one.

#include <algorithm>

#include "models/stages/renaming.h"

namespace heddle {

// What is refused below has not been here.
inline RegisterStage::Answer Renaming::pass(RegisterAccess& access, Counter& count) {
  const Answer answer = forward(access);
  if (answer == Answer::refused) [[unlikely]]
    return refused_below();
  ++count;
  return answer;
}

// A result takes along the entry that its instruction was given when it was announced (001, Fig. 6).
inline bool Renaming::takes_along(const RegisterAccess& access) const {
  return access.command == RegisterCommand::write && access.instruction && at_prepare_;
}

inline RegisterStage::Answer Renaming::pass_along(RegisterAccess& access) {
  return pass(access, exempt(access.warp, access.home) ? exempt_accesses_ : look_ups_);
}

// Everything else passes behind the look-up.
inline RegisterStage::Answer Renaming::look_up(RegisterAccess& access) {
  if (exempt(access.warp, access.home)) [[unlikely]]
    return pass_exempt(access);
  const Cycle in = now(), earliest = access.earliest_service;
  Cycle& free_at = table_.free_at(access.home);
  const Cycle at = std::max(in, free_at);
  free_at = at + 1;
  conflicts_ += at - in;
  ++look_ups_;
  access.earliest_service = std::max(earliest, in + 1) + (at - in) + latency_;
  const Answer answer = forward(access);
  return answer == Answer::refused ? undo_look_up(access, earliest) : answer;
}

RegisterStage::Answer Renaming::pass_exempt(RegisterAccess& access) { return pass(access, exempt_accesses_); }

RegisterStage::Answer Renaming::undo_look_up(RegisterAccess& access, Cycle earliest) {
  Cycle& free_at = table_.free_at(access.home);
  --free_at;
  conflicts_ -= free_at - now();
  look_ups_ -= 1;
  access.earliest_service = earliest;
  return refused_below();
}

RegisterStage::Answer Renaming::refused_below() {
  arrives();
  return Answer::refused;
}

// Whatever comes goes on by a call that is the last one here: nothing is saved for those that take another way.
RegisterStage::Answer Renaming::accept(RegisterAccess& access) {
  return behind_ < now() ? accept_first(access) : accept_now(access);
}

RegisterStage::Answer Renaming::accept_first(RegisterAccess& access) {
  begin_cycle();
  return accept_now(access);
}

inline RegisterStage::Answer Renaming::accept_now(RegisterAccess& access) {
  if (!quick_) return accept_other(access);
  if (access.command == RegisterCommand::read) return read_mapped(access);
  return takes_along(access) ? write_mapped(access) : accept_other(access);
}

RegisterStage::Answer Renaming::read_mapped(RegisterAccess& access) {
  access.place = table_.find(access.warp, access.home);
  return look_up(access);
}

RegisterStage::Answer Renaming::write_mapped(RegisterAccess& access) {
  const RegisterPlace& place = table_.find(access.warp, access.home);
  if (!place.set) [[unlikely]]
    return accept_other(access);
  access.place = place;
  return pass_along(access);
}

RegisterStage::Answer Renaming::accept_other(RegisterAccess& access) {
  if (&mapping() != &map_) return pass_down(access);
  switch (access.command) {
    case RegisterCommand::read:
      return read(access);
    case RegisterCommand::write:
      return write(access);
    case RegisterCommand::prepare:
      return announce(access);
    case RegisterCommand::release:
      return release(access);
    case RegisterCommand::evict:
      break;
  }
  return pass_down(access);
}

RegisterStage::Answer Renaming::pass_down(RegisterAccess& access) {
  const Answer answer = forward(access);
  return answer == Answer::refused ? refused_below() : answer;
}

RegisterStage::Answer Renaming::read(RegisterAccess& access) {
  access.place = find(access.warp, access.home);
  return look_up(access);
}

RegisterStage::Answer Renaming::announce(RegisterAccess& access) {
  if (at_prepare_ && !reserve(access)) return refuse();
  return heard_below(hears::announcements) ? tell_places(access) : Answer::answered;
}

// Results that come down get their entries; false if there is none for one of them.
inline bool Renaming::reserve(const RegisterAccess& access) {
  const RegisterPlace* places = table_.row(access.warp);
  for (const RegisterWord& word : access.prepare->destination_words()) {
    if (!claims_.comes_down(word.annotation)) continue;
    const bool mapped = quick_ ? places[word.home.value].set : find(access.warp, word.home).set;
    if (!mapped && !map(access.warp, word.home)) return false;
  }
  return true;
}

RegisterStage::Answer Renaming::tell_places(RegisterAccess& access) {
  RegisterPrepare& note = *access.prepare;
  const RegisterPlace* places = table_.row(access.warp);
  RegisterWord* const end = note.words.data() + note.sources + note.destinations;
  for (RegisterWord* word = note.words.data(); word != end; ++word) word->place = places[word->home.value];
  return pass_down(access);
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
  const Answer answer = takes_along(access) ? pass_along(access) : look_up(access);
  if (!moved) return answer;
  if (answer == Answer::refused) {  // as if nothing had been: the entry was never written
    give_back({access.place, {}});
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
  access.place = table_.find(access.warp, access.home);
  if (!quick_) access.place = find(access.warp, access.home);
  if (!access.place.set) return release_unmapped(access);
  const Answer answer = forward(access);
  if (answer == Answer::refused) return refused_below();
  const bool charged = claims_followed_ && claims_.release(access.warp, access.home);
  table_.unmap(access.warp, access.home);
  tell_table(TablePoint::View::unmaps, access.warp, access.home, {});
  if (!exempt(access.warp, access.home)) ++unmaps_;
  if (answer == Answer::accepted) {
    leave(access, charged);
  } else {
    behind_ = std::min(behind_, now());
    freed_.push_back({access.place, charge_of(access.warp, access.home, charged)});
    wake_next();
  }
  return answer;
}

RegisterStage::Answer Renaming::release_unmapped(const RegisterAccess& access) {
  if (claims_followed_ && claims_.release(access.warp, access.home))
    claims_.credit(claims_.cta_of(access.warp), claims_.pool_of(access.warp, access.home));
  return Answer::answered;
}

inline void Renaming::leave(const RegisterAccess& access, bool charged) {
  Leaving& leaving = leaving_[index_of(access.place)];
  leaving.access = &access;
  leaving.charge.charged = charged;
  if (charged) leaving.charge = charge_of(access.warp, access.home, true);
  ++leave_;
}

void Renaming::answered(RegisterAccess& access) {
  if (access.command == RegisterCommand::release && &mapping() == &map_)
    released(access);
  else
    respond(access);
}

void Renaming::released(RegisterAccess& access) {
  begin();
  if (Leaving& gone = leaving_[index_of(access.place)]; gone.access == &access) {
    behind_ = std::min(behind_, now());
    freed_.push_back({access.place, gone.charge});
    gone.access = nullptr;
    --leave_;
    wake_next();
  }
  if (access.stage == this)
    own_free_.push_back(&access);
  else
    respond(access);
}

Renaming::Charge Renaming::charge_of(WarpId warp, RegId reg, bool charged) const {
  if (!charged) return {};
  return {claims_.cta_of(warp), static_cast<std::uint32_t>(claims_.pool_of(warp, reg)), true};
}

RegisterStage::Answer Renaming::refuse() {
  ++waits_;
  wake_next();
  return Answer::refused;
}

// --- entries

inline std::uint32_t Renaming::choose(std::size_t b, bool at_lowest) {
  const DomainSet awake = at_lowest ? ~DomainSet{0} : power_.awake(b);
  const std::uint32_t entry = at_lowest ? banks_[b].lowest() : banks_[b].choose(awake);
  if (entry == Availability::kNone || watched_[b]->probe.attached()) [[unlikely]]
    return chosen(b, awake, entry);
  return entry;
}

// None, or somebody looks at it.
std::uint32_t Renaming::chosen(std::size_t b, DomainSet awake, std::uint32_t entry) {
  const Availability& bank = banks_[b];
  AllocatorPoint::Answer answer{entry, entry == Availability::kNone ? bank.to_wake(awake) : 0};
  if (watched_[b]->probe.attached()) watched_[b]->probe.answered({false, 0, awake, bank.occupied()}, answer);
  if (answer.entry == Availability::kNone && power_.gates()) power_.want(now(), b, answer.wake);
  return answer.entry;
}

inline bool Renaming::take(WarpId warp, RegId reg, std::size_t b, bool at_lowest) {
  const std::uint32_t entry = choose(b, at_lowest);
  if (entry == Availability::kNone) [[unlikely]]
    return false;
  count_to(now());
  occupied_subarrays_ += banks_[b].take(entry);
  ++mapped_;
  if (power_.gates()) [[unlikely]]
    note_taken(b);
  const RegisterPlace place{BankId(static_cast<std::uint32_t>(b)), entry, true};
  std::uint8_t& touched = touched_[index_of(place)];
  touched_count_ += touched ^ 1u;
  touched = 1;
  table_.map(warp, reg, place);
  tell_table(TablePoint::View::maps, warp, reg, place);
  return true;
}

void Renaming::note_taken(std::size_t b) {
  power_.taken(now(), b, banks_[b].occupied());
  // Whoever waited for a subarray of this bank may be another one: it asks again.
  if (power_.wanted(b) == 0) return;
  power_.want(now(), b, 0);
  asks_again_ = true;
  wake_next();
}

bool Renaming::map(WarpId warp, RegId reg) {
  if (claims_followed_ && !claims_.claimed(warp, reg)) {
    claims_.claim(warp, reg);
    ++late_claims_;
  }
  const auto home = std::size_t{layout_.bank_of(warp, reg)};
  if (!take(warp, reg, home, false) && !(next_bank_ && map_elsewhere(warp, reg, home))) return false;
  if (!exempt(warp, reg)) ++maps_;
  return true;
}

bool Renaming::map_elsewhere(WarpId warp, RegId reg, std::size_t home) {
  for (std::size_t step = 1; step < banks_.size(); ++step)
    if (banks_[home].free() == 0 && take(warp, reg, (home + step) % banks_.size(), false)) return true;
  return false;
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
  leave(release, charged && claims_followed_);
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
