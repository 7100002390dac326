#pragma once

// Time of one clock domain (an SM, the memory): integer cycles on one shared tick, which sleeps while no
// module has work. A module requests the cycles in which it wants to run; all modules of the domain run then,
// except those that rest. There are two ways to request: wake(), for the next cycle, and due_at(cycle).

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

/// In every requested cycle the clock runs the domain's modules one after the other, in the order of their
/// construction (which cannot be observed, see ClockedModule). A SystemC process for every module would do
/// the same at several times the cost.
class Clock : public sc_core::sc_module, private Ticking {
 public:
  /// `every_cycle`: ticks in each cycle between start() and stop() even without a request (results are the
  /// same).
  Clock(const sc_core::sc_module_name& name, sc_core::sc_time period, RunStatus& status,
        bool every_cycle = false);
  ~Clock() override;

  /// The current cycle. Valid within tick(); elsewhere (a transport call from another domain) call sync()
  /// first.
  Cycle now() const { return now_; }
  /// Brings now() up to the simulation time and returns it.
  Cycle sync() {
    const std::uint64_t time = time_base_->now();
    if (time >= (now_ + 1) * period_value_)
      now_ = time < (now_ + 2) * period_value_ ? now_ + 1 : time / period_value_;
    return now_;
  }
  /// The cycle at `delay` after the simulation time: when something that a transport call annotates arrives.
  Cycle cycle_after(const sc_core::sc_time& delay) {
    return delay.value() == 0 ? sync() : (time_base_->now() + delay.value()) / period_value_;
  }

  /// Requests a tick in the next cycle, or in `cycle`; a past cycle means the next one. Requests are kept
  /// until their cycle; repeating one costs nothing.
  void wake() {
    if (ticking_)
      next_asked_ = true;
    else
      ask_outside(now_ + 1);
  }
  void due_at(Cycle cycle) {
    if (cycle <= now_ + 1) return wake();
    if (ticking_)
      wakes_.add(now_, cycle);
    else
      ask_outside(cycle);
  }
  /// The tick does not count as work: for state that changes by itself. Forgotten when the clock stops.
  struct NoWork {};
  void due_at(Cycle cycle, NoWork) {
    if (cycle <= now_) cycle = now_ + 1;
    extra_.add(now_, cycle);
    extra_asked_ = prepares_ = true;
    if (cycle < next_ && !ticking_ && running_) {
      schedule(cycle);
      time_base_->hear_of(cycle * period_value_);
    }
  }
  /// Within its modules' ticks.
  bool ticking() const { return ticking_; }

  /// State that a cycle passes to the next one, independent of module order there.
  class Opening {
   public:
    virtual void open_cycle() = 0;

   protected:
    ~Opening() = default;
  };
  /// Opens the next tick, once, before any module runs in it and after all requests of its time. Needs no
  /// request.
  void open_next(Opening& opening) {
    std::erase(openings_.all, &opening);
    openings_.all.push_back(&opening);
    prepares_ = true;
  }

  void start(Cycle cycle);           ///< first tick in `cycle`
  void stop() { running_ = false; }  ///< ticks only on request from now on

  /// Declares that the modules of this clock call no module that reads the SystemC time, and notify events of
  /// others by notify_outside() alone: ticks may pass while sc_time_stamp() stands still, until another
  /// process is due. For machines whose parts all obey this, run by sc_start() without an end. A machine with
  /// a guest that reads sc_time_stamp() in a call from a tick leaves it off (the default).
  void run_ahead(bool on = true);
  void notify_outside(sc_core::sc_event& event) { time_base_->notify(event); }
  /// Pauses the simulation when all clocks have run their ticks of the present time.
  void pause() { time_base_->pause(); }

  /// The modules of this clock write nothing that is not theirs, but where they hold TimeBase::alone(): its ticks may run
  /// beside those of other clocks that say so, on another thread. Off by default.
  void beside_others(bool on);
  bool runs_beside_others() const { return time_base_->clocks_[number_].beside; }
  TimeBase& time_base() { return *time_base_; }

  /// Last cycle with a requested tick (ticks of every_cycle alone do not count).
  Cycle last_work() const { return last_work_; }
  /// True if a tick was requested in `cycle`, the current one of another domain, independent of the order of
  /// the two domains.
  bool works_in(Cycle cycle) const {
    return last_work_ == cycle || (next_asked_ && next_ == cycle) || wakes_.next(cycle - 1) == cycle;
  }

  /// A passive observer, called after all modules have run in a cycle that ticks (and all clocks beside this one), by
  /// the thread of the simulation. Must not change anything.
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
  void ask_outside(Cycle cycle);
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
  bool ticking_ = false;     ///< the modules run; the next tick is scheduled when all have
  bool next_asked_ = false;  ///< within the last tick: a module requests the next cycle
  bool extra_asked_ = false;
  bool prepares_ = false;  ///< there is something to do before the modules
  Cycle now_ = 0;
  Cycle next_ = kNever;  ///< the cycle of the pending tick
  Cycle last_work_ = 0;
  WakeSet wakes_;
  WakeSet extra_;  ///< ticks that are not work
  /// Modules in the order of their construction, and when they are due, a bit each.
  struct Modules {
    std::uint64_t next_tick = 0;  ///< in the next tick
    std::uint64_t every = 0;      ///< in every tick: they do not rest
    std::uint64_t later = 0;      ///< in a cycle of their own, in `first` at the earliest
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
  } openings_;  ///< of the next tick
  std::vector<std::function<void(Cycle)>> observers_;
  std::exception_ptr failure_;  ///< of the present tick
};

/// A hardware unit on a clock: tick() runs once in every cycle in which the domain ticks and the unit is due.
/// Units of one domain may run in any order within a cycle, so tick() acts only on what reached it in earlier
/// cycles (models/core/cycle_*.h).
class ClockedModule : public sc_core::sc_module {
 public:
  ClockedModule(const sc_core::sc_module_name& name, Clock& clock);
  ~ClockedModule() override;
  Clock& clock() { return *clock_; }
  const Clock& clock() const { return *clock_; }

  /// Makes the unit due, and its domain tick: in the next cycle, or in `cycle` (kNever: no effect). Called by
  /// the unit itself and by modules that give it something to process then. The earliest request holds; the
  /// unit then says whether it is due again.
  void wake() {
    modules_->next_tick |= bit_;
    clock_->wake();
  }
  void due_at(Cycle cycle) {
    if (cycle <= clock_->now_ + 1) return wake();
    if (cycle != kNever) due_later(cycle);
  }
  /// The unit is due from that cycle on whenever its domain ticks; requests no tick.
  void be_due(Cycle cycle) {
    if (cycle <= clock_->now_ + 1)
      modules_->next_tick |= bit_;
    else if (cycle < due_)
      be_due_later(cycle);
  }
  /// It is called when it is due alone.
  bool rests() const { return !(modules_->every & bit_); }

 protected:
  virtual void tick() = 0;
  Cycle now() const { return clock_->now(); }
  /// Call it in the constructor: the unit is due only on request. Any other unit is due in every tick of its
  /// domain.
  void rest() { modules_->every &= ~bit_; }

 private:
  friend class Clock;
  void be_due_later(Cycle cycle);
  void due_later(Cycle cycle);

  Clock* clock_;
  Clock::Modules* modules_;  ///< of the clock, this one among them
  std::uint64_t bit_;        ///< there
  Cycle due_ = kNever;       ///< of modules_->later
};

}  // namespace heddle
