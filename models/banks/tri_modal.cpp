#include "models/banks/tri_modal.h"

#include <algorithm>
#include <bit>

#include "models/core/registry.h"

namespace heddle {

void TriModalParameters::fields(FieldVisitor& v) {
  v.field("wake_up_cycles", wake_up_cycles, {0, 100},
          "from drowsy to on, at full leakage; the first one is hidden (Abdel-Majeed 2016, 5.3.2, 5.5.2)");
  v.field(
      "look_ahead_cycles", look_ahead_cycles, {0, 100},
      "rows hear of their use so much before the instruction takes a collector (Abdel-Majeed 2016, 5.3.2)");
  v.field(
      "outputs", outputs, {"from-collector", "at-write"},
      "rows of results are on from the collector on (Abdel-Majeed 2016, 5.3), or wake when the result comes");
  v.field("unallocated", unallocated, {"off", "drowsy"},
          "rows that no register has (Abdel-Majeed 2016, 5.3: off)");
}

TriModal::TriModal(const TriModalParameters& p, Context& context)
    : settings_{p.wake_up_cycles, p.look_ahead_cycles, p.unallocated == "off"},
      wake_up_(static_cast<Cycle>(p.wake_up_cycles)),
      ahead_(static_cast<Cycle>(std::min(p.look_ahead_cycles, p.wake_up_cycles))),
      becoming_bits_(std::bit_ceil(wake_up_ + 1) - 1),
      writes_hold_(p.outputs == "from-collector"),
      free_off_(settings_.unallocated_off),
      becoming_on_(becoming_bits_ + 1),
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
  (free_off_ ? off_rows_ : drowsy_rows_).rows = rows_.size();
  ending_.resize(rows_.size());
}

void TriModal::allocated(Cycle now, const RegisterPlace& place) {
  Row& r = rows_[number(place)];
  if (r.allocated) return;
  advance(now);
  if (watches_) see(now, number(place), [](TricView& view) { view.allocated = true; });
  r.allocated = true;
  if (!free_off_ || r.awake) return;
  off_rows_.leave(now);
  drowsy_rows_.enter(now);
  r.drowsy_since = now;
  if (r.uses != 0) wake(now, r, 0);
}

void TriModal::freed(Cycle now, const RegisterPlace& place) {
  Row& r = rows_[number(place)];
  if (!r.allocated) return;
  advance(now);
  if (watches_) see(now, number(place), [](TricView& view) { view.freed = true; });
  r.allocated = false;
  if (!free_off_) return;
  if (r.awake) {
    end(number(place));
  } else {
    drowsy_rows_.leave(now);
    off_rows_.enter(now);
  }
}

Cycle TriModal::announced(Cycle now, const RegisterPlace& place, bool write) {
  if (write && !writes_hold_) return kNever;
  if (is_noted(now)) return use_noted(now, number(place), true);
  return use(now, number(place), true);
}

Cycle TriModal::arrives(Cycle now, const RegisterPlace& place, bool) {
  return use_noted(now, number(place), false);
}

void TriModal::dropped(Cycle now, const RegisterPlace& place, bool) {
  note(now, number(place), &TricView::ends);
  unuse(number(place));
}

LaneMask TriModal::served(Cycle now, const RegisterPlace& place, bool) {
  if (is_noted(now)) return serve_noted(now, number(place));
  return serve(now, number(place));
}

Cycle TriModal::use_noted(Cycle now, RowId number, bool early) {
  note(now, number, &TricView::begins);
  return use(now, number, early);
}

LaneMask TriModal::serve_noted(Cycle now, RowId number) {
  note(now, number, &TricView::ends);
  return serve(now, number);
}

void TriModal::note(Cycle now, RowId number, std::uint32_t TricView::*events) {
  advance(now);
  if (watches_) see(now, number, [events](TricView& view) { ++(view.*events); });
}

// Of a row that is off nothing comes back. Early: known ahead_ cycles ago. Rows that wake so are counted together.
Cycle TriModal::use(Cycle now, RowId number, bool early) {
  Row& r = rows_[number];
  if (r.uses++ != 0 || r.awake || !may_wake(r)) return r.on_from;
  if (now != present_ || (!early && ahead_ != 0) || now - r.drowsy_since < ahead_)
    return wake(now, r, early ? ahead_ : 0);
  r.awake = true;
  r.touched = false;
  ++wake_ups_;
  return r.on_from = now + wake_up_ - ahead_;
}

LaneMask TriModal::serve(Cycle now, RowId number) {
  Row& r = rows_[number];
  const bool on = r.awake && r.on_from <= now;
  r.touched = true;
  unuse(number);
  return on ? 0 : kAllLanes;
}

void TriModal::unuse(RowId number) {
  Row& r = rows_[number];
  if (--r.uses == 0 && r.awake) end(number);
}

void TriModal::end(RowId number) {
  Row& r = rows_[number];
  if (r.ends) return;
  r.ends = true;
  ending_[ends_++] = number;
}

// It began so many cycles ago as the use was known ahead. A row that drowsed since then has not.
Cycle TriModal::wake(Cycle now, Row& r, Cycle ahead) {
  const Cycle drowsy = now - r.drowsy_since, earlier = std::min(ahead, drowsy);
  drowsy_rows_.leave(now - earlier);
  awake_rows_.enter(now - earlier);
  r.awake = true;
  r.touched = false;
  if (drowsy < ahead && r.on_from <= r.drowsy_since && r.on_from != 0) {
    ++kept_awake_;
    return r.on_from;
  }
  r.on_from = now + wake_up_ - ahead;
  ++wake_ups_;
  ++wake_ups_noted_;
  wake_sum_ += r.on_from - (now - earlier);
  ++becoming_on(r.on_from).rows;
  return r.on_from;
}

TriModal::BecomingOn& TriModal::becoming_on(Cycle from) {
  BecomingOn& slot = becoming_on_[from & becoming_bits_];
  if (slot.from != from) slot = {from, 0};
  return slot;
}

// What has begun in the present cycle stands in the states' times after it; what has ended is gone.
void TriModal::advance(Cycle cycle) {
  if (cycle <= present_) return;
  note_wake_ups();
  if (ends_ != 0) end_rows();
  present_ = cycle;
}

void TriModal::note_wake_ups() {
  const std::uint64_t woken = wake_ups_.value() - wake_ups_noted_;
  if (woken == 0) return;
  wake_ups_noted_ = wake_ups_.value();
  const Cycle began = present_ - ahead_, on_from = began + wake_up_;
  drowsy_rows_.leave(began, woken);
  awake_rows_.enter(began, woken);
  wake_sum_ += woken * wake_up_;
  becoming_on(on_from).rows += woken;
}

void TriModal::end_rows() {
  const Cycle at = present_ + 1;
  std::uint64_t ended = 0, off = 0, unused = 0;
  for (std::size_t i = 0; i < ends_; ++i) {
    Row& r = rows_[ending_[i]];
    r.ends = false;
    if (r.uses != 0 && may_wake(r)) continue;
    r.awake = false;
    r.drowsy_since = at;
    ++ended;
    if (!may_wake(r)) ++off;
    if (!r.touched) ++unused;
    if (r.on_from <= at) continue;
    wake_sum_ -= r.on_from - at;  // it has never been on
    --becoming_on(r.on_from).rows;
  }
  ends_ = 0;
  awake_rows_.leave(at, ended);
  drowsy_rows_.enter(at, ended - off);
  off_rows_.enter(at, off);
  used_wake_ups_ += ended - unused;
  useless_ += unused;
}

// Cycles from `cycle` on that stand in wake_sum_ already.
std::uint64_t TriModal::still_waking(Cycle cycle) const {
  std::uint64_t sum = 0;
  for (const BecomingOn& slot : becoming_on_)
    if (slot.from > cycle) sum += slot.rows * (slot.from - cycle);
  return sum;
}

// A launch may end while a last result waits for its row: what comes after the end does not count, and before it the
// rows have been in their states of now. Cycles that a look-ahead turns into waking ones are taken back from the drowsy
// ones: a difference may be negative.
void TriModal::settle(Cycle cycle) {
  advance(cycle);
  note_wake_ups();
  const auto publish = [](Counter& counter, std::uint64_t sum, std::uint64_t& told) {
    counter += sum - told;
    told = sum;
  };
  const std::uint64_t wake = wake_sum_ - still_waking(cycle);
  publish(wake_, wake, wake_told_);
  publish(on_, awake_rows_.until(cycle) - wake, on_told_);
  publish(drowsy_, drowsy_rows_.until(cycle), drowsy_told_);
  publish(off_, off_rows_.until(cycle), off_told_);
  time_told_ = time_.until(cycle);
}

// What has been counted since the last launch's end is no launch's.
void TriModal::begins(Cycle cycle) {
  advance(cycle);
  note_wake_ups();
  wake_sum_ = wake_told_ + still_waking(cycle);
  awake_rows_.begin(cycle, on_told_ + wake_told_);
  drowsy_rows_.begin(cycle, drowsy_told_);
  off_rows_.begin(cycle, off_told_);
  time_.begin(cycle, time_told_);
}

std::vector<RegisterPower::Rule> TriModal::rules() const {
  return {{"entry-cycles of all states, rows x cycles",
           on_.value() + wake_.value() + drowsy_.value() + off_.value(), rows_.size() * time_told_},
          {"rows that woke, those that drowsed since or are awake", wake_ups_.value() + kept_awake_.value(),
           useless_.value() + used_wake_ups_ + awake_rows_.rows}};
}

void TriModal::probes(const ProbeScope& scope) {
  for (std::size_t i = watched_.size(); i < std::min(rows_.size(), kWatchedRows); ++i)
    watched_.push_back(std::make_unique<Watched>(settings_));
  watches_ = !watched_.empty();
  for (std::size_t i = 0; i < watched_.size(); ++i)
    scope.part("row" + std::to_string(i)).add(watched_[i]->probe);
  if (watched_.size() == kWatchedRows) scope.part("rows").add(all_watched_);
}

// What happens to a watched row in this cycle. The first time in a cycle, the last one with an event is told: of the row,
// and of all of them.
template <class Change>
void TriModal::see(Cycle now, RowId number, Change change) {
  if (number >= watched_.size()) return;
  advance(now);
  if (seen_.now != now) {
    TricRowsPoint::Answer states{};
    for (std::size_t i = 0; i < watched_.size(); ++i) states[i] = state_of(rows_[i], seen_.now + 1);
    all_watched_.answered(seen_, states);
    seen_ = {now, {}};
  }
  change(seen_.rows[number]);
  Watched& watched = *watched_[number];
  if (watched.seen.now != now) {
    TricState state = state_of(rows_[number], watched.seen.now + 1);
    watched.probe.answered(watched.seen, state);
    watched.seen = {};
    watched.seen.now = now;
  }
  change(watched.seen);
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
