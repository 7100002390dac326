#pragma once

// Models the time of one clock domain (an SM, or the memory) in integer cycles. A module requests the cycles
// in which it must run. In a requested cycle, all modules of the domain run. Modules that called rest() are
// an exception: they run only in cycles that they requested themselves. Cycles that no module requested are
// skipped.

#include <array>
#include <deque>
#include <functional>
#include <systemc>
#include <utility>
#include <vector>

#include "models/core/ids.h"
#include "models/time/time_base.h"
#include "models/time/wake_set.h"

namespace heddle {

class ClockedModule;

/// Runs the modules of a clock domain in the order of their construction. Results must not depend on this
/// order. One SystemC process for each module would take several times as long.
class Clock : public sc_core::sc_module, private Ticking {
 public:
  /// `every_cycle`: true if the modules run in every cycle between start() and stop(), even without a
  /// request. The results are the same.
  Clock(const sc_core::sc_module_name& name, sc_core::sc_time period, RunStatus& status,
        bool every_cycle = false);
  ~Clock() override;

  /// Returns the current cycle; valid within tick(). A transport call from another clock domain must call
  /// sync() first.
  Cycle now() const { return now_; }
  Cycle sync() {
    const std::uint64_t time = time_base_->now();
    if (time >= (now_ + 1) * period_value_)
      now_ = time < (now_ + 2) * period_value_ ? now_ + 1 : time / period_value_;
    return now_;
  }
  /// Returns the cycle at the time that is `delay` later than the current simulation time. A transport call
  /// with the annotated delay `delay` takes effect in this cycle.
  Cycle cycle_after(const sc_core::sc_time& delay) {
    const std::uint64_t time = time_base_->now() + delay.value();
    if (delay.value() == 0 && sync() * period_value_ <= time) return now_;
    return time / period_value_;
  }

  /// Both functions request a tick of the clock domain. wake(): in the next cycle. due_at(): in `cycle`, or
  /// in the next cycle if `cycle` has passed.
  void wake() {
    if (ticking_)
      next_requested_ = true;
    else
      request_outside(now_ + 1);
  }
  void due_at(Cycle cycle) {
    if (cycle <= now_ + 1) return wake();
    if (ticking_)
      wakes_.add(now_, cycle);
    else
      request_outside(cycle);
  }
  /// Second argument of due_at() that requests a tick which does not count as work (last_work()). After
  /// Clock::stop(), no such tick is scheduled.
  struct NoWork {};
  void due_at(Cycle cycle, NoWork) {
    if (cycle <= now_) cycle = now_ + 1;
    extra_.add(now_, cycle);
    extra_requested_ = prepares_ = true;
    if (cycle < next_ && !ticking_ && running_) {
      schedule(cycle);
      time_base_->note_request(cycle * period_value_);
    }
  }
  bool ticking() const { return ticking_; }

  /// Base class of objects whose state must change between two cycles, so that results are independent of
  /// module order.
  class Opening {
   public:
    virtual void open_cycle() = 0;

   protected:
    ~Opening() = default;
  };
  /// Calls opening.open_cycle() once: at the start of the next tick, before any module runs. The caller must
  /// request this tick itself if it needs a tick.
  void open_next(Opening& opening) {
    std::erase(openings_.all, &opening);
    openings_.all.push_back(&opening);
    prepares_ = true;
  }

  void start(Cycle cycle);
  void stop() { running_ = false; }

  /// Lets time advance from tick to tick without the SystemC kernel, until another SystemC process is due.
  /// Meanwhile sc_time_stamp() does not change, so the modules of this clock must not read this time. The
  /// modules must notify events of other processes only by notify_outside(). sc_start() must run without an end
  /// time. Off by default.
  void run_ahead(bool on = true);
  void notify_outside(sc_core::sc_event& event) { time_base_->notify(event); }
  void pause() { time_base_->pause(); }

  /// Allows ticks of this clock to run on another host thread, in parallel with other clocks that also allow
  /// this. The modules may then change the state of another clock only while they hold the lock
  /// TimeBase::alone(). Off by default.
  void parallel_with_others(bool on);

  Leash& leash() { return leash_; }
  void lead_apart(std::function<std::uint64_t(std::uint64_t)> window_end) {
    time_base_->run_apart(*this, std::move(window_end));
  }
  /// Returns the time by which now() is ahead of the other clocks, or zero.
  sc_core::sc_time ahead() const { return ahead(now_); }
  /// Returns the time by which cycle `cycle` is ahead of the other clocks, or zero.
  sc_core::sc_time ahead(Cycle cycle) const {
    const std::uint64_t own = cycle * period_value_, common = time_base_->now();
    return own > common ? sc_core::sc_time::from_value(own - common) : sc_core::SC_ZERO_TIME;
  }
  bool runs_beside_others() const { return time_base_->clocks_[number_].beside; }
  TimeBase& time_base() { return *time_base_; }

  /// Returns the last cycle in which a requested tick ran.
  Cycle last_work() const { return last_work_; }
  /// True if a tick of this clock was requested for `cycle`. Called by another clock domain, whose current
  /// cycle is `cycle`. The result does not depend on whether this clock has already run its tick of the
  /// cycle.
  bool works_in(Cycle cycle) const {
    return last_work_ >= cycle || (next_requested_ && next_ == cycle) || wakes_.next(cycle - 1) == cycle;
  }

  /// Adds an observer, which must not change any state. The main thread calls the observer in every cycle with
  /// a tick, after the modules of parallel clocks have run.
  void observe(std::function<void(Cycle)> observer);

  const sc_core::sc_time& period() const { return period_; }
  RunStatus& status() { return *status_; }
  bool every_cycle() const { return every_cycle_; }

 private:
  friend class ClockedModule;
  void run_all() { time_base_->run(); }
  void run_tick() override;
  void after_tick() override;
  void run_to(std::uint64_t base, std::uint64_t end) override;
  bool runs_in(std::uint64_t base, std::uint64_t end) const override {
    return next_ != kNever && next_ * period_value_ <= (leash_.holds(next_) ? base : end);
  }
  void run_modules();
  void request_outside(Cycle cycle);
  void schedule(Cycle cycle) {
    next_ = cycle;
    time_base_->set_next(number_, cycle == kNever ? TimeBase::kNoTime : cycle * period_value_);
  }

  sc_core::sc_time period_;
  std::uint64_t period_value_;
  RunStatus* status_;
  std::shared_ptr<TimeBase> time_base_;
  bool every_cycle_;
  bool running_ = false;
  bool ticking_ = false;
  bool next_requested_ = false;
  bool extra_requested_ = false;
  bool prepares_ = false;
  Cycle now_ = 0;
  Cycle next_ = kNever;
  Cycle last_work_ = 0;
  WakeSet wakes_;
  WakeSet extra_;
  struct Modules {
    std::uint64_t next_tick = 0;
    std::uint64_t every = 0;  ///< modules that run in every tick, because they have not called rest()
    /// Modules that are due in a later cycle; `first` is the earliest of these cycles.
    std::uint64_t later = 0;
    Cycle first = kNever;
    Modules* more = nullptr;
    std::size_t count = 0;
    std::array<ClockedModule*, 64> all{};

    std::uint64_t take_due(Cycle now);
  };
  std::deque<Modules> modules_;
  struct Openings {
    std::vector<Opening*> all;
    void run();
  } openings_;
  std::vector<std::function<void(Cycle)>> observers_;
  std::exception_ptr failure_;  ///< exception that a module threw in the current tick
};

/// Base class of hardware units on a clock. tick() runs in every cycle in which the clock domain ticks and
/// the unit is due. Units may run in any order within a cycle, so tick() must use only data that reached the
/// unit in earlier cycles (models/core/cycle_*.h).
class ClockedModule : public sc_core::sc_module {
 public:
  ClockedModule(const sc_core::sc_module_name& name, Clock& clock);
  ~ClockedModule() override;
  Clock& clock() { return *clock_; }
  const Clock& clock() const { return *clock_; }

  /// Make the unit due and request a tick of its clock domain: wake() in the next cycle, due_at() in `cycle`
  /// (kNever: no effect). The unit itself calls these functions, and so do modules that send work to the unit.
  /// Only the earliest request is kept.
  void wake() {
    modules_->next_tick |= bit_;
    clock_->wake();
  }
  void due_at(Cycle cycle) {
    if (cycle <= clock_->now_ + 1) return wake();
    if (cycle != kNever) due_later(cycle);
  }
  /// Makes the unit due from cycle `cycle` on, but requests no tick: the unit runs in the next tick that
  /// another module requests.
  void be_due(Cycle cycle) {
    if (cycle <= clock_->now_ + 1)
      modules_->next_tick |= bit_;
    else if (cycle < due_)
      be_due_later(cycle);
  }
  bool rests() const { return !(modules_->every & bit_); }

 protected:
  virtual void tick() = 0;
  Cycle now() const { return clock_->now(); }
  /// Makes the unit run only in cycles in which it is due, not in all ticks of the domain. For use in the
  /// unit's constructor.
  void rest() { modules_->every &= ~bit_; }

 private:
  friend class Clock;
  void be_due_later(Cycle cycle);
  void due_later(Cycle cycle);

  Clock* clock_;
  Clock::Modules* modules_;
  std::uint64_t bit_;
  Cycle due_ = kNever;  ///< cycle in which the unit is due, if its bit is in modules_->later
};

}  // namespace heddle
