#include "models/ports/clock.h"

#include <algorithm>

namespace heddle {

void RunStatus::fail(std::exception_ptr failure) {
  if (!failure_) failure_ = std::move(failure);
  sc_core::sc_pause();
}

Clock::Clock(const sc_core::sc_module_name& name, sc_core::sc_time period, RunStatus& status,
             bool every_cycle)
    : sc_module(name), period_(period), status_(&status), every_cycle_(every_cycle) {
  SC_HAS_PROCESS(Clock);
  SC_METHOD(advance);
  sensitive << timer_;
  dont_initialize();
}

Cycle Clock::sync() {
  now_ = std::max<Cycle>(now_, sc_core::sc_time_stamp().value() / period_.value());
  return now_;
}

void Clock::start() {
  running_ = true;
  sync();
  wake_next();
}

void Clock::stop() {
  running_ = false;
  next_ = kNever;
  timer_.cancel();
}

void Clock::schedule(Cycle cycle) {
  next_ = std::max(cycle, now_ + 1);
  timer_.notify(sc_core::sc_time::from_value(next_ * period_.value()) - sc_core::sc_time_stamp());
}

void Clock::advance() {
  sync();
  next_ = kNever;
  if (every_cycle_ && running_) wake_next();
  tick_.notify(sc_core::SC_ZERO_TIME);
}

ClockedModule::ClockedModule(const sc_core::sc_module_name& name, Clock& clock)
    : sc_module(name), clock_(&clock) {
  SC_HAS_PROCESS(ClockedModule);
  SC_METHOD(run);
  sensitive << clock.tick();
  dont_initialize();
}

void ClockedModule::run() {
  if (clock_->status().failed()) return;
  try {
    tick();
  } catch (...) {
    clock_->status().fail(std::current_exception());
  }
}

}  // namespace heddle
