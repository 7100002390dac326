#pragma once

// Time of one clock domain (an SM, the memory): integer cycles on one shared tick, which sleeps while no
// module has work. A module requests the cycles in which it wants to run: wake() requests the next cycle,
// due_at(cycle) a later one. All modules of the domain run in a requested cycle, except modules that rest and
// are not due.

#include <array>
#include <deque>
#include <functional>
#include <systemc>
#include <vector>

#include "models/core/ids.h"
#include "models/time/time_base.h"
#include "models/time/wake_set.h"

namespace heddle {

class ClockedModule;

/// Runs the modules of a domain in every requested cycle, one after the other, in the order of their
/// construction. Results must not depend on this order, see ClockedModule. One SystemC process for every
/// module would give the same results at several times the cost.
class Clock : public sc_core::sc_module, private Ticking {
 public:
  /// `every_cycle`: ticks in each cycle between start() and stop(), even without a request. Results are the
  /// same.
  Clock(const sc_core::sc_module_name& name, sc_core::sc_time period, RunStatus& status,
        bool every_cycle = false);
  ~Clock() override;

  /// The current cycle. Valid within tick(). In a transport call from another domain, call sync() first.
  Cycle now() const { return now_; }
  /// Brings now() up to the simulation time and returns it.
  Cycle sync() {
    const std::uint64_t time = time_base_->now();
    if (time >= (now_ + 1) * period_value_)
      now_ = time < (now_ + 2) * period_value_ ? now_ + 1 : time / period_value_;
    return now_;
  }
  /// Returns the cycle at `delay` after the simulation time: the cycle in which an annotated transport call
  /// arrives.
  Cycle cycle_after(const sc_core::sc_time& delay) {
    return delay.value() == 0 ? sync() : (time_base_->now() + delay.value()) / period_value_;
  }

  /// Requests a tick in the next cycle, or in `cycle`. A past cycle means the next one. A request is kept
  /// until its cycle. Repeating it costs nothing.
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
  /// Requests a tick that does not count as work, for state that changes without a request. The request is
  /// dropped when the clock stops.
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
  /// True while modules of this clock run.
  bool ticking() const { return ticking_; }

  /// State that must change between two cycles, independent of module order.
  class Opening {
   public:
    virtual void open_cycle() = 0;

   protected:
    ~Opening() = default;
  };
  /// Calls `opening` once, in the next tick, before any module runs and after all requests for this tick.
  /// Requests no tick.
  void open_next(Opening& opening) {
    std::erase(openings_.all, &opening);
    openings_.all.push_back(&opening);
    prepares_ = true;
  }

  void start(Cycle cycle);           ///< the first tick is in `cycle`
  void stop() { running_ = false; }  ///< from now on, ticks only on request

  /// Lets time pass from tick to tick while sc_time_stamp() stands still, until another process is due. The
  /// modules of this clock must call no module that reads the SystemC time, and must notify events of other
  /// processes only by notify_outside(). It is for machines whose parts all obey this, run by sc_start()
  /// without an end time. Leave it off (the default) if a guest module reads sc_time_stamp() in a call from a
  /// tick.
  void run_ahead(bool on = true);
  void notify_outside(sc_core::sc_event& event) { time_base_->notify(event); }
  /// Pauses the simulation after all clocks have run their ticks of the current time.
  void pause() { time_base_->pause(); }

  /// Allows ticks of this clock to run on another thread, in parallel with other clocks that allow it. Its
  /// modules must write only their own state, or hold TimeBase::alone(). Off by default.
  void parallel_with_others(bool on);
  bool runs_beside_others() const { return time_base_->clocks_[number_].beside; }
  TimeBase& time_base() { return *time_base_; }

  /// Last cycle with a requested tick. Ticks of every_cycle alone do not count.
  Cycle last_work() const { return last_work_; }
  /// True if a tick was requested in `cycle`, the current cycle of another domain. The result is independent
  /// of the order of the two domains.
  bool works_in(Cycle cycle) const {
    return last_work_ == cycle || (next_requested_ && next_ == cycle) || wakes_.next(cycle - 1) == cycle;
  }

  /// Adds a passive observer, which must not change any state. In every cycle that ticks, it is called after
  /// all modules of this clock and of the parallel clocks have run. The thread of the simulation calls it.
  void observe(std::function<void(Cycle)> observer);

  const sc_core::sc_time& period() const { return period_; }
  RunStatus& status() { return *status_; }
  bool every_cycle() const { return every_cycle_; }

 private:
  friend class ClockedModule;
  void run_all() { time_base_->run(); }
  void run_tick() override;
  void after_tick() override;
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
  bool ticking_ = false;         ///< the modules are running; the next tick is scheduled afterwards
  bool next_requested_ = false;  ///< a module has requested the next cycle during this tick
  bool extra_requested_ = false;
  bool prepares_ = false;  ///< there is work before the modules run
  Cycle now_ = 0;
  Cycle next_ = kNever;  ///< cycle of the pending tick
  Cycle last_work_ = 0;
  WakeSet wakes_;
  WakeSet extra_;  ///< requested ticks that are not work
  /// Modules in the order of their construction, and when they are due, one bit each.
  struct Modules {
    std::uint64_t next_tick = 0;  ///< due in the next tick
    std::uint64_t every = 0;      ///< due in every tick, because they do not rest
    std::uint64_t later = 0;      ///< due in a later cycle of their own; `first` is the earliest
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
  } openings_;  ///< for the next tick
  std::vector<std::function<void(Cycle)>> observers_;
  std::exception_ptr failure_;  ///< failure of the current tick
};

/// Base class of hardware units on a clock: tick() runs once in every cycle in which the domain ticks and the
/// unit is due. The units of a domain may run in any order within a cycle. tick() must therefore use only
/// what reached the unit in earlier cycles (models/core/cycle_*.h).
class ClockedModule : public sc_core::sc_module {
 public:
  ClockedModule(const sc_core::sc_module_name& name, Clock& clock);
  ~ClockedModule() override;
  Clock& clock() { return *clock_; }
  const Clock& clock() const { return *clock_; }

  /// Makes the unit due and requests a tick of its domain: in the next cycle, or in `cycle` (kNever: no
  /// effect). Called by the unit itself, and by modules that send it work. Only the earliest request is kept.
  /// After it has run, the unit must request its next cycle again.
  void wake() {
    modules_->next_tick |= bit_;
    clock_->wake();
  }
  void due_at(Cycle cycle) {
    if (cycle <= clock_->now_ + 1) return wake();
    if (cycle != kNever) due_later(cycle);
  }
  /// Makes the unit due from this cycle on, whenever its domain ticks. Requests no tick.
  void be_due(Cycle cycle) {
    if (cycle <= clock_->now_ + 1)
      modules_->next_tick |= bit_;
    else if (cycle < due_)
      be_due_later(cycle);
  }
  /// True if the unit runs only when it is due.
  bool rests() const { return !(modules_->every & bit_); }

 protected:
  virtual void tick() = 0;
  Cycle now() const { return clock_->now(); }
  /// Call this in the constructor of a unit that runs only on request. Any other unit runs in every tick of
  /// its domain.
  void rest() { modules_->every &= ~bit_; }

 private:
  friend class Clock;
  void be_due_later(Cycle cycle);
  void due_later(Cycle cycle);

  Clock* clock_;
  Clock::Modules* modules_;  ///< the set of modules of the clock that contains this module
  std::uint64_t bit_;        ///< bit of this module in the set
  Cycle due_ = kNever;       ///< due cycle, if the module is in modules_->later
};

}  // namespace heddle
