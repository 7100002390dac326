#include "models/time/time_base.h"

#include <algorithm>

#include "models/time/tick_team.h"

namespace heddle {
namespace {

// Number of ticks after which the SystemC kernel runs even without a due event, for example to execute an
// observer's sc_pause.
constexpr int kTicksWithoutKernel = 1024;

}  // namespace

void RunStatus::fail(std::exception_ptr failure) {
  if (!failure_) failure_ = std::move(failure);
  time_base_->pause();
}

TimeBase::TimeBase() = default;
TimeBase::~TimeBase() = default;

void TimeBase::use_threads(int threads) {
  team_ = threads > 1 ? std::make_unique<TickTeam>(threads) : nullptr;
}

void TimeBase::notify(sc_core::sc_event& event) {
  if (!running_) return event.notify(sc_core::SC_ZERO_TIME);
  event.notify(sc_core::sc_time::from_value(now_) - sc_core::sc_time_stamp());
  noted_ = true;
  limit_ = 0;
}

void TimeBase::pause() {
  if (!running_) return sc_core::sc_pause();
  pausing_ = true;
  limit_ = 0;
}

void TimeBase::add(Ticking& clock) {
  clock.number_ = clocks_.size();
  clocks_.push_back({kNoTime, &clock});
  beside_.resize(clocks_.size());
  ++exact_clocks_;
}

void TimeBase::remove(Ticking& clock) {
  std::erase_if(clocks_, [&](const Entry& entry) { return entry.clock == &clock; });
  for (std::size_t i = 0; i < clocks_.size(); ++i) clocks_[i].clock->number_ = i;
  if (!clock.runs_ahead_) --exact_clocks_;
}

void TimeBase::arm(std::uint64_t time) {
  const sc_core::sc_time at = sc_core::sc_time::from_value(time);
  const sc_core::sc_time& stamp = sc_core::sc_time_stamp();
  clocks_.front().clock->timer_.notify(at > stamp ? at - stamp : sc_core::SC_ZERO_TIME);
}

void TimeBase::run() {
  now_ = sc_core::sc_time_stamp().value();
  if (!pausing_) run_ticks();
  const bool behind = now_ > sc_core::sc_time_stamp().value();
  const std::uint64_t next = next_tick();
  if (behind && (pausing_ || next == kNoTime)) return arm(now_);
  if (pausing_) sc_core::sc_pause();
  pausing_ = false;
  if (next != kNoTime) arm(next);
}

// Runs the ticks that the clocks have at time `time`. Ticks that may run in parallel are collected and run
// together at the end, followed by after_tick() of their clocks. The other clocks call after_tick() directly
// after their tick.
inline void TimeBase::run_ticks_of(std::uint64_t time) {
  std::size_t together = 0;
  bool more = false;
  soonest_ = kNoTime;
  for (const Entry& entry : clocks_) {
    if (entry.next == time) {
      if (team_ && entry.beside) {
        beside_[together++] = entry.clock;
        continue;
      }
      entry.clock->run_tick();
      if (entry.clock->more_) more |= waits(entry);
    }
    note_request(entry.next);
  }
  if (more || together) end_ticks(together);
}

// If the clock's tick does not run in parallel, calls after_tick() and returns false. If the tick runs in
// parallel, returns true: after_tick() must then be called after all parallel ticks.
bool TimeBase::waits(const Entry& entry) {
  if (!entry.beside) entry.clock->after_tick();
  return entry.beside;
}

void TimeBase::end_ticks(std::size_t together) {
  if (together) team_->run({beside_.data(), together});
  for (const Entry& entry : clocks_) {
    if (entry.clock->more_) entry.clock->after_tick();
    note_request(entry.next);
  }
}

// True if the simulation can advance to `time` without the SystemC kernel, because the kernel has no earlier
// event.
bool TimeBase::may_pass_to(std::uint64_t time) {
  if (time == kNoTime || exact_clocks_ != 0 || pausing_ || noted_) return false;
  limit_ = (sc_core::sc_time_stamp() + sc_core::sc_time_to_pending_activity()).value();
  return time < limit_;
}

void TimeBase::run_ticks() {
  running_ = true;
  noted_ = false;
  limit_ = 0;
  ticks_left_ = kTicksWithoutKernel;
  if (may_run_apart()) {
    run_windows();
    running_ = false;
    return;
  }
  soonest_ = next_tick();
  for (;;) {
    const std::uint64_t next = soonest_;
    if (next > now_) {
      if (next >= limit_ && !may_pass_to(next)) break;
      if (--ticks_left_ == 0) break;
      now_ = next;
    }
    run_ticks_of(next);
  }
  running_ = false;
}

void TimeBase::run_apart(Ticking& common, std::function<std::uint64_t(std::uint64_t)> window_end) {
  common_ = &common;
  window_end_of_ = std::move(window_end);
}

bool TimeBase::may_run_apart() const {
  return common_ && std::all_of(clocks_.begin(), clocks_.end(), [this](const Entry& entry) {
           return entry.clock == common_ || (entry.beside && !entry.is_observed);
         });
}

// Runs the clocks in windows of time (within a window, clocks run ahead of each other), until the SystemC
// kernel must run:
//  1. Run the tick of the common clock if no other clock has an earlier tick to run.
//  2. Otherwise run the other clocks, up to the end of the window. A clock that must not run ahead (Leash)
//     stops earlier.
//  3. Report a failure when all clocks have reached the time of the failure.
void TimeBase::run_windows() {
  window_end_ = 0;
  for (;;) {
    std::uint64_t common = kNoTime, apart = kNoTime;
    for (const Entry& entry : clocks_) {
      std::uint64_t& soonest = entry.clock == common_ ? common : apart;
      if (entry.clock->failed_at_ == kNoTime) soonest = std::min(soonest, entry.next);
    }
    const std::uint64_t next = std::min(common, apart);
    if (failed_at_ < next) report_failures();
    if (next > now_) {
      if (next >= limit_ && !may_pass_to(next)) return;
      if (--ticks_left_ == 0) return;
      now_ = next;
    }
    if (common == next) {
      common_->run_tick();
      if (common_->more_) common_->after_tick();
    } else {
      run_ahead(next);
    }
  }
}

// Runs all clocks but the common clock, from time `base` on. The common clock has already run all its ticks
// up to this time.
void TimeBase::run_ahead(std::uint64_t base) {
  std::uint64_t end = base;
  bool begins = false;
  if (!pausing_ && !noted_) {
    begins = base > window_end_;
    if (begins) {
      window_end_ = window_end_of_(base);
      if (window_end_ >= limit_ && !may_pass_to(window_end_)) window_end_ = base;
    }
    end = std::min(window_end_, failed_at_);
  }
  std::size_t together = 0;
  for (const Entry& entry : clocks_)
    if (entry.clock != common_ && entry.next <= end && entry.clock->failed_at_ == kNoTime &&
        entry.clock->runs_in(base, end))
      beside_[together++] = entry.clock;
  if (team_ && together > 1)
    team_->run_to({beside_.data(), together}, base, end);
  else
    for (std::size_t i = 0; i < together; ++i) beside_[i]->run_to(base, end);
  for (std::size_t i = 0; i < together; ++i) failed_at_ = std::min(failed_at_, beside_[i]->failed_at_);
}

// Reports the failures of the earliest time in the order of the clocks. RunStatus keeps only the first of these
// failures.
void TimeBase::report_failures() {
  for (const Entry& entry : clocks_)
    if (entry.clock->failed_at_ == failed_at_ && entry.clock->more_) entry.clock->after_tick();
  failed_at_ = kNoTime;
}

std::uint64_t TimeBase::next_tick() const {
  std::uint64_t next = kNoTime;
  for (const Entry& entry : clocks_) next = std::min(next, entry.next);
  return next;
}

}  // namespace heddle
