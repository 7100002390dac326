#include "models/time/clock.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle {

Clock::Clock(const sc_core::sc_module_name& name, sc_core::sc_time period, RunStatus& status,
             bool every_cycle)
    : sc_module(name),
      period_(period),
      period_value_(period.value()),
      status_(&status),
      time_base_(status.time_base()),
      every_cycle_(every_cycle),
      modules_(1) {
  time_base_->add(*this);
  SC_HAS_PROCESS(Clock);
  SC_METHOD(run_all);
  sensitive << timer_;
  dont_initialize();
}

Clock::~Clock() { time_base_->remove(*this); }

void Clock::run_ahead(bool on) {
  time_base_->exact_clocks_ += int{runs_ahead_} - int{on};
  time_base_->limit_ = 0;
  runs_ahead_ = on;
}

void Clock::parallel_with_others(bool on) { time_base_->clocks_[number_].beside = on; }

void Clock::start(Cycle cycle) {
  running_ = true;
  sync();
  due_at(cycle);
}

void Clock::run_modules() {
  ticking_ = true;
  try {
    if (prepares_) {
      prepares_ = extra_requested_;
      if (extra_requested_) extra_.take(now_);
      openings_.run();
    }
    for (Modules* modules = &modules_.front(); modules; modules = modules->more) {
      std::uint64_t due = modules->next_tick;
      modules->next_tick = modules->every;
      if (modules->first <= now_) due |= modules->take_due(now_);
      for (; due; due &= due - 1) {
        ClockedModule& module = *modules->all[static_cast<std::size_t>(std::countr_zero(due))];
        module.due_ = kNever;
        module.tick();
      }
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
  more_ = failure_ || !observers_.empty();
  ticking_ = false;
  if (next_requested_) return schedule(now_ + 1);
  Cycle next = wakes_.next(now_);
  if (running_ && every_cycle_)
    next = now_ + 1;
  else if (running_ && extra_requested_)
    next = std::min(next, extra_.next(now_));
  schedule(next);
}

void Clock::run_tick() {
  const Cycle cycle = next_;
  next_ = kNever;
  if (status_->failed()) return schedule(kNever);
  now_ = cycle;
  const bool requested = std::exchange(next_requested_, false);
  if (wakes_.take(cycle) || requested) last_work_ = cycle;
  run_modules();
}

void Clock::request_outside(Cycle cycle) {
  wakes_.add(now_, cycle);
  if (cycle >= next_) return;
  schedule(cycle);
  time_base_->note_request(cycle * period_value_);
}

void Clock::Openings::run() {
  const std::vector<Opening*> present = std::exchange(all, {});
  for (Opening* const opening : present) opening->open_cycle();
}

void Clock::after_tick() {
  try {
    if (!failure_)
      for (auto& observer : observers_) observer(now_);
  } catch (...) {
    failure_ = std::current_exception();
  }
  if (failure_) status_->fail(std::move(failure_));
  failure_ = nullptr;
  more_ = false;
}

void Clock::run_to(std::uint64_t base, std::uint64_t end) {
  while (runs_in(base, end)) {
    run_tick();
    if (!more_) continue;
    failed_at_ = now_ * period_value_;
    return;
  }
}

void Clock::observe(std::function<void(Cycle)> observer) {
  observers_.push_back(std::move(observer));
  time_base_->clocks_[number_].is_observed = true;
}

// Returns the modules that are due in cycle `now`, as a bit mask.
std::uint64_t Clock::Modules::take_due(Cycle now) {
  std::uint64_t due = 0;
  first = kNever;
  for (std::uint64_t rest = later; rest; rest &= rest - 1) {
    const ClockedModule& module = *all[static_cast<std::size_t>(std::countr_zero(rest))];
    if (module.due_ <= now)
      due |= module.bit_;
    else if (module.due_ != kNever)
      first = std::min(first, module.due_);
    else
      later &= ~module.bit_;
  }
  later &= ~due;
  return due;
}

ClockedModule::ClockedModule(const sc_core::sc_module_name& name, Clock& clock)
    : sc_module(name), clock_(&clock) {
  modules_ = &clock.modules_.back();
  if (modules_->count == modules_->all.size()) modules_ = modules_->more = &clock.modules_.emplace_back();
  bit_ = std::uint64_t{1} << modules_->count;
  modules_->next_tick |= bit_;
  modules_->every |= bit_;
  modules_->all[modules_->count++] = this;
}

ClockedModule::~ClockedModule() {
  for (std::uint64_t* const set : {&modules_->next_tick, &modules_->every, &modules_->later}) *set &= ~bit_;
}

void ClockedModule::due_later(Cycle cycle) {
  if (cycle < due_) be_due_later(cycle);
  clock_->due_at(cycle);
}

void ClockedModule::be_due_later(Cycle cycle) {
  due_ = cycle;
  modules_->later |= bit_;
  modules_->first = std::min(modules_->first, cycle);
}

}  // namespace heddle
