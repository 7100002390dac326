#include "models/ports/clock.h"

#include <algorithm>

namespace heddle {

void RunStatus::fail(std::exception_ptr failure) {
  if (!failure_) failure_ = std::move(failure);
  sc_core::sc_pause();
}

bool WakeSet::take(Cycle cycle) {
  std::uint64_t& word = near_[cycle % kNear / 64];
  const std::uint64_t bit = std::uint64_t{1} << (cycle % 64);
  bool asked = word & bit;
  word &= ~bit;
  for (; !far_.empty() && far_.top() <= cycle; far_.pop()) asked = true;
  return asked;
}

Cycle WakeSet::next(Cycle now) const {
  Cycle found = far_.empty() ? kNever : far_.top();
  const Cycle first = now + 1;
  for (Cycle base = first / 64 * 64; base < first + kNear; base += 64) {
    std::uint64_t word = near_[base % kNear / 64];
    if (base < first) word &= ~std::uint64_t{0} << (first % 64);
    if (base + 64 > first + kNear) word &= (std::uint64_t{1} << (first % 64)) - 1;
    if (word) return std::min(found, base + static_cast<Cycle>(std::countr_zero(word)));
  }
  return found;
}

Clock::Clock(const sc_core::sc_module_name& name, sc_core::sc_time period, RunStatus& status, bool every_cycle)
    : sc_module(name), period_(period), status_(&status), every_cycle_(every_cycle) {
  SC_HAS_PROCESS(Clock);
  SC_METHOD(advance);
  sensitive << timer_;
  dont_initialize();
}

Cycle Clock::sync() {
  const Cycle cycle = sc_core::sc_time_stamp().value() / period_.value();
  if (cycle > now_) now_ = cycle;
  return now_;
}

void Clock::start(Cycle cycle) {
  running_ = true;
  sync();
  wake_at(cycle);
}

void Clock::schedule(Cycle cycle) {
  next_ = cycle;
  timer_.notify(sc_core::sc_time::from_value(next_ * period_.value()) - sc_core::sc_time_stamp());
}

void Clock::advance() {
  if (status_->failed()) return;
  sync();
  if (wakes_.take(now_)) last_work_ = now_;
  extra_.take(now_);
  next_ = kNever;
  ticking_ = true;
  try {
    for (ClockedModule* module : modules_) module->tick();
    for (auto& observer : observers_) observer(now_);
  } catch (...) {
    status_->fail(std::current_exception());
  }
  ticking_ = false;
  Cycle next = wakes_.next(now_);
  if (running_) next = every_cycle_ ? now_ + 1 : std::min(next, extra_.next(now_));
  if (next != kNever) schedule(next);
}

void Clock::observe(std::function<void(Cycle)> observer) { observers_.push_back(std::move(observer)); }

ClockedModule::ClockedModule(const sc_core::sc_module_name& name, Clock& clock) : sc_module(name), clock_(&clock) {
  clock.modules_.push_back(this);
}

ClockedModule::~ClockedModule() { std::erase(clock_->modules_, this); }

}  // namespace heddle
