#include "models/regfile/tri_modal.h"

#include <algorithm>

#include "models/core/registry.h"

namespace heddle {

void TriModalParameters::fields(FieldVisitor& v) {
  v.field("wake_up_cycles", wake_up_cycles, {0, 100},
          "from drowsy to on, at full leakage; the first one is hidden (003, 5.3.2, 5.5.2)");
  v.field("look_ahead_cycles", look_ahead_cycles, {0, 100},
          "rows hear of their use so much before the instruction takes a collector (003, 5.3.2)");
  v.field("outputs", outputs, {"from-collector", "at-write"},
          "rows of results are on from the collector on (003, 5.3), or wake when the result comes");
  v.field("unallocated", unallocated, {"off", "drowsy"}, "rows that no register has (003, 5.3: off)");
}

TriModal::TriModal(const TriModalParameters& p, Context& context)
    : settings_{p.wake_up_cycles, p.look_ahead_cycles, p.unallocated == "off"},
      wake_up_(static_cast<Cycle>(p.wake_up_cycles)),
      ahead_(static_cast<Cycle>(std::min(p.look_ahead_cycles, p.wake_up_cycles))),
      writes_hold_(p.outputs == "from-collector"),
      free_off_(settings_.unallocated_off),
      becoming_on_(static_cast<std::size_t>(wake_up_) + 1),
      on_(context.stats.add("on_entry_cycles", "entry-cycles", "rows that were on")),
      wake_(context.stats.add("wake_entry_cycles", "entry-cycles", "rows that were waking")),
      drowsy_(context.stats.add("drowsy_entry_cycles", "entry-cycles", "rows that were drowsy")),
      off_(context.stats.add("off_entry_cycles", "entry-cycles", "rows that were off")),
      wake_ups_(context.stats.add("wake_ups", "events", "rows that woke")),
      useless_(context.stats.add("useless_wake_ups", "events",
                                 "rows that were awake for no access: it was answered above the banks")),
      kept_awake_(context.stats.add("kept_awake", "events",
                                    "rows that did not drowse between two uses, by the look-ahead")) {
  for (const int depth : context.depths) {
    first_.push_back(static_cast<std::uint32_t>(rows_.size()));
    rows_.resize(rows_.size() + static_cast<std::size_t>(depth));
  }
  (free_off_ ? off_now_ : drowsy_now_) = rows_.size();
  ending_.reserve(rows_.size());
}

void TriModal::allocated(Cycle now, const RegisterPlace& place) {
  Row& r = row(place);
  if (r.allocated) return;
  advance(now);
  if (!watched_.empty())
    if (TricView* view = seen(now, r)) view->allocated = true;
  r.allocated = true;
  if (!free_off_ || r.awake) return;
  --off_now_;
  ++drowsy_now_;
  r.drowsy_since = now;
  if (r.uses != 0) wake(now, r, 0);
}

void TriModal::freed(Cycle now, const RegisterPlace& place) {
  Row& r = row(place);
  if (!r.allocated) return;
  advance(now);
  if (!watched_.empty())
    if (TricView* view = seen(now, r)) view->freed = true;
  r.allocated = false;
  if (!free_off_) return;
  if (r.awake) {
    ends(r);
  } else {
    --drowsy_now_;
    ++off_now_;
  }
}

Cycle TriModal::arrives(Cycle now, const RegisterPlace& place, bool write, bool announced) {
  Row& r = row(place);
  if (!announced || (write && !writes_hold_)) use(now, r, 0);
  return r.on_from;
}

LaneMask TriModal::served(Cycle now, const RegisterPlace& place, bool, bool) {
  advance(now);
  Row& r = row(place);
  const bool on = r.awake && r.on_from <= now;
  r.touched = true;
  unuse(now, r);
  return on ? 0 : kAllLanes;
}

// Of a row that is off nothing comes back.
void TriModal::use(Cycle now, Row& r, Cycle ahead) {
  if (!watched_.empty())
    if (TricView* view = seen(now, r)) ++view->begins;
  if (r.uses != 0) {
    ++r.uses;
    return;
  }
  advance(now);
  r.uses = 1;
  if (!r.awake && may_wake(r)) wake(now, r, ahead);
}

void TriModal::unuse(Cycle now, Row& r) {
  if (!watched_.empty()) [[unlikely]]
    if (TricView* view = seen(now, r)) ++view->ends;
  advance(now);
  if (--r.uses == 0 && r.awake) ends(r);
}

// It began so many cycles ago as the use was known ahead. A row that drowsed since then has not.
void TriModal::wake(Cycle now, Row& r, Cycle ahead) {
  --drowsy_now_;
  ++awake_now_;
  r.awake = true;
  r.touched = false;
  const Cycle drowsy = now - r.drowsy_since;
  if (drowsy < ahead && r.on_from <= r.drowsy_since && r.on_from != 0) {
    shift_to_awake(drowsy);
    ++kept_awake_;
    return;
  }
  const Cycle earlier = std::min(ahead, drowsy);
  shift_to_awake(earlier);
  r.on_from = now + wake_up_ - ahead;
  wake_sum_ += r.on_from - now + earlier;
  ++wake_ups_;
  BecomingOn& slot = becoming_on_[r.on_from % becoming_on_.size()];
  if (slot.from != r.on_from) slot = {r.on_from, 0};
  ++slot.rows;
}

void TriModal::shift_to_awake(Cycle cycles) {
  awake_sum_ += cycles;
  drowsy_sum_ -= cycles;
}

void TriModal::ends(Row& r) {
  if (r.ends) return;
  r.ends = true;
  ending_.push_back(static_cast<std::uint32_t>(&r - rows_.data()));
}

// Counts the cycles before `cycle`; what has ended in the first of them is gone in the others.
void TriModal::advance(Cycle cycle) {
  if (cycle <= settled_) return;
  count(1);
  if (!ending_.empty()) end_rows();
  if (settled_ != cycle) count(cycle - settled_);
}

void TriModal::count(Cycle cycles) {
  awake_sum_ += cycles * awake_now_;
  drowsy_sum_ += cycles * drowsy_now_;
  off_sum_ += cycles * off_now_;
  cycles_ += cycles;
  settled_ += cycles;
}

void TriModal::end_rows() {
  for (const std::uint32_t i : ending_) {
    Row& r = rows_[i];
    r.ends = false;
    if (r.uses != 0 && may_wake(r)) continue;
    r.awake = false;
    --awake_now_;
    ++(may_wake(r) ? drowsy_now_ : off_now_);
    r.drowsy_since = settled_;
    if (r.touched)
      ++used_wake_ups_;
    else
      ++useless_;
    if (r.on_from <= settled_) continue;
    wake_sum_ -= r.on_from - settled_;  // it has never been on
    --becoming_on_[r.on_from % becoming_on_.size()].rows;
  }
  ending_.clear();
}

// Cycles from `cycle` on that stand in wake_sum_ already.
std::uint64_t TriModal::still_waking(Cycle cycle) const {
  std::uint64_t sum = 0;
  for (const BecomingOn& slot : becoming_on_)
    if (slot.from > cycle) sum += slot.rows * (slot.from - cycle);
  return sum;
}

// A launch may end while a last result waits for its row: what was counted behind the end goes, in the states of now.
void TriModal::take_back(Cycle cycles) {
  if (cycles == 0) return;
  awake_sum_ -= cycles * awake_now_;
  drowsy_sum_ -= cycles * drowsy_now_;
  off_sum_ -= cycles * off_now_;
  cycles_ -= cycles;
  settled_ -= cycles;
}

// Cycles that a look-ahead turns into waking ones are taken back from the drowsy ones: a difference may be negative.
void TriModal::settle(Cycle cycle) {
  advance(cycle);
  take_back(settled_ - cycle);
  const auto publish = [](Counter& counter, std::uint64_t sum, std::uint64_t& told) {
    counter += sum - told;
    told = sum;
  };
  const std::uint64_t wake = wake_sum_ - still_waking(settled_);
  publish(wake_, wake, wake_told_);
  publish(on_, awake_sum_ - wake, on_told_);
  publish(drowsy_, drowsy_sum_, drowsy_told_);
  publish(off_, off_sum_, off_told_);
  cycles_told_ = cycles_;
}

// What has been counted since the last launch's end is no launch's.
void TriModal::begins(Cycle cycle) {
  advance(cycle);
  wake_sum_ = wake_told_ + still_waking(settled_);
  awake_sum_ = on_told_ + wake_told_;
  drowsy_sum_ = drowsy_told_;
  off_sum_ = off_told_;
  cycles_ = cycles_told_;
}

std::vector<RegisterPower::Rule> TriModal::rules() const {
  return {{"entry-cycles of all states, rows x cycles",
           on_.value() + wake_.value() + drowsy_.value() + off_.value(), rows_.size() * cycles_told_},
          {"rows that woke, those that drowsed since or are awake", wake_ups_.value() + kept_awake_.value(),
           useless_.value() + used_wake_ups_ + awake_now_}};
}

void TriModal::probes(const ProbeScope& scope) {
  for (std::size_t i = watched_.size(); i < std::min(rows_.size(), kWatched); ++i)
    watched_.push_back(std::make_unique<Watched>(settings_));
  for (std::size_t i = 0; i < watched_.size(); ++i)
    scope.part("row" + std::to_string(i)).add(watched_[i]->probe);
}

// What happens to a watched row in this cycle. The first time in a cycle, the last one with an event is told.
TricView* TriModal::seen(Cycle now, const Row& r) {
  const auto i = static_cast<std::size_t>(&r - rows_.data());
  if (i >= watched_.size()) return nullptr;
  Watched& watched = *watched_[i];
  if (watched.seen.now == now) return &watched.seen;
  advance(now);
  TricState state = state_of(r, watched.seen.now + 1);
  watched.probe.answered(watched.seen, state);
  watched.seen = {};
  watched.seen.now = now;
  return &watched.seen;
}

TricState TriModal::state_of(const Row& r, Cycle cycle) const {
  if (!r.awake) return may_wake(r) ? TricState::drowsy : TricState::off;
  return r.on_from > cycle ? TricState::waking : TricState::on;
}

namespace {
const Registration<RegisterPower, TriModal, TriModalParameters> tri_modal_entry{
    "tri-modal", "rows are off without a register, drowsy by default, and on around accesses"};
}  // namespace

}  // namespace heddle
