#include "models/banks/tri_modal.h"

#include <algorithm>
#include <numeric>

#include "models/core/part_arrays.h"
#include "models/core/registry.h"

namespace heddle {

void TriModalParameters::fields(FieldVisitor& v) {
  v.field("wake_up_cycles", wake_up_cycles, {0, 100},
          "cycles from drowsy to on, at full leakage; the first cycle is hidden (Abdel-Majeed 2016, 5.3.2, "
          "5.5.2)");
  v.field("look_ahead_cycles", look_ahead_cycles, {0, 100},
          "cycles by which rows are notified of their use before the instruction takes a collector "
          "(Abdel-Majeed 2016, 5.3.2)");
  v.field("outputs", outputs, {"from-collector", "at-write"},
          "the rows of results are on from the time when the instruction takes a collector (Abdel-Majeed "
          "2016, 5.3), or wake when the result arrives");
  v.field("unallocated", unallocated, {"off", "drowsy"},
          "state of rows without a register (Abdel-Majeed 2016, 5.3: off)");
}

TriModal::TriModal(const TriModalParameters& p, Context& context)
    : wake_up_(static_cast<Cycle>(p.wake_up_cycles)),
      ahead_(static_cast<Cycle>(std::min(p.look_ahead_cycles, p.wake_up_cycles))),
      writes_hold_(p.outputs == "from-collector"),
      free_off_(p.unallocated == "off"),
      rows_(static_cast<std::size_t>(std::accumulate(context.depths.begin(), context.depths.end(), 0))),
      ending_(rows_.size()),
      times_(rows_.size(), free_off_, wake_up_, context.stats),
      watch_({p.wake_up_cycles, p.look_ahead_cycles, free_off_}),
      wake_ups_(context.stats.add("wake_ups", "events", "rows that woke")),
      useless_(context.stats.add("useless_wake_ups", "events",
                                 "rows that woke for an access that was answered above the banks")),
      kept_awake_(context.stats.add("kept_awake", "events",
                                    "rows that stayed on between two uses because of the look-ahead")) {
  std::uint32_t first = 0;
  for (const int depth : context.depths)
    first_.push_back(std::exchange(first, first + static_cast<std::uint32_t>(depth)));
}

void TriModal::allocated(Cycle now, const RegisterPlace& place) {
  Row& r = rows_[number(place)];
  if (r.allocated) return;
  advance(now);
  see(now, number(place), [](TricView& view) { view.allocated = true; });
  r.allocated = true;
  if (!free_off_ || r.awake) return;
  times_.allocated(now);
  r.drowsy_since = now;
  if (r.uses != 0) wake(now, r, 0);
}

void TriModal::freed(Cycle now, const RegisterPlace& place) {
  Row& r = rows_[number(place)];
  if (!r.allocated) return;
  advance(now);
  see(now, number(place), [](TricView& view) { view.freed = true; });
  r.allocated = false;
  if (!free_off_) return;
  r.awake ? end(number(place)) : times_.freed(now);
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
  see(now, number, [events](TricView& view) { ++(view.*events); });
}

// Begins the use of a row by an access. Returns the first cycle in which the row can serve the access.
// `early`: the access was announced ahead_ cycles ago, and the wake-up began then.
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

// Wakes a row. Returns the first cycle in which the row has full voltage. The wake-up began `ahead` cycles
// ago, but not before the cycle in which the row became drowsy.
Cycle TriModal::wake(Cycle now, Row& r, Cycle ahead) {
  const Cycle drowsy = now - r.drowsy_since, began = now - std::min(ahead, drowsy);
  r.awake = true;
  r.touched = false;
  if (drowsy < ahead && r.on_from <= r.drowsy_since && r.on_from != 0) {
    times_.kept_awake(began);
    ++kept_awake_;
    return r.on_from;
  }
  r.on_from = now + wake_up_ - ahead;
  times_.woke(began, r.on_from);
  ++wake_ups_;
  ++wake_ups_noted_;
  return r.on_from;
}

// Processes the uses that ended before `cycle`: rows without a further use become drowsy or off.
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
  const Cycle began = present_ - ahead_;
  times_.woke(began, began + wake_up_, woken);
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
    if (r.on_from > at) times_.never_on(r.on_from, at);
  }
  ends_ = 0;
  times_.ended(at, ended, off);
  used_wake_ups_ += ended - unused;
  useless_ += unused;
}

void TriModal::settle(Cycle cycle) {
  advance(cycle);
  note_wake_ups();
  times_.settle(cycle);
}

void TriModal::begins(Cycle cycle) {
  advance(cycle);
  note_wake_ups();
  times_.begin(cycle);
}

std::vector<RegisterPower::Rule> TriModal::rules() const {
  return {times_.rule(),
          {"rows that woke, those that drowsed since or are awake", wake_ups_.value() + kept_awake_.value(),
           useless_.value() + used_wake_ups_ + times_.awake_rows()}};
}

void TriModal::probes(const ProbeScope& scope) {
  using Tone = Gauge::Tone;
  Gauge states{"power", "power state of each row", Gauge::Form::states, rows_.size()};
  states.states = {
      {"off", Tone::off}, {"drowsy", Tone::idle}, {"waking", Tone::changing}, {"on", Tone::active}};
  states.row = first_.size() > 1 ? first_[1] - first_[0] : rows_.size();
  states.read = [this](Cycle cycle, std::vector<std::uint64_t>& values) {
    for (const Row& row : rows_) values.push_back(static_cast<std::uint64_t>(state_of(row, cycle)));
  };
  scope.show(std::move(states));
  watch_.add_probes(scope, rows_.size());
}

TricState TriModal::state_of(const Row& r, Cycle cycle) const {
  if (!r.awake) return may_wake(r) ? TricState::drowsy : TricState::off;
  return r.on_from > cycle ? TricState::waking : TricState::on;
}

namespace {
const Registration<RegisterPower, TriModal, TriModalParameters> tri_modal_entry{
    "tri-modal", "rows are off without a register, drowsy by default, and on around accesses"};

const Arrays<RegisterPower> tri_modal_arrays{
    "tri-modal", {{"states of rows", "rows", "2", "1R1W", {"register_file.row_states"}}}};
}  // namespace

}  // namespace heddle
