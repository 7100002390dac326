// Tests in which cycles a clock of the simulator runs its modules. While a clock sleeps, no event may get
// lost.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/core/error.h"
#include "models/time/clock.h"
#include "tests/support/simulation.h"

namespace heddle {
namespace {

TEST(WakeSet, AnswersAsAPlainSetDoes) {
  std::mt19937 random(7);
  WakeSet wakes;
  std::set<Cycle> plain;
  Cycle now = 0;
  for (int step = 0; step < 4000; ++step) {
    for (unsigned n = random() % 4; n > 0; --n) {
      const Cycle distance = random() % 8 == 0 ? 1 + random() % 9000 : 1 + random() % 40;
      wakes.add(now, now + distance);
      plain.insert(now + distance);
    }
    const Cycle expected = plain.empty() ? kNever : *plain.begin();
    ASSERT_EQ(wakes.next(now), expected) << "at " << now;
    if (expected == kNever) continue;
    now = expected;
    ASSERT_TRUE(wakes.take(now));
    plain.erase(now);
  }
}

TEST(WakeSet, EdgesOfTheNearFuture) {
  for (const Cycle distance : {1u, 63u, 64u, 65u, 4031u, 4032u, 4094u, 4095u, 4096u, 4097u, 9000u}) {
    WakeSet wakes;
    wakes.add(100, 100 + distance);
    EXPECT_EQ(wakes.next(100), 100 + distance);
    EXPECT_TRUE(wakes.take(100 + distance));
    EXPECT_EQ(wakes.next(100 + distance), kNever);
  }
}

class Ticker : public ClockedModule {
 public:
  Ticker(const char* name, Clock& clock, std::vector<Cycle> wakes)
      : ClockedModule(name, clock), wakes_(wakes) {}
  std::vector<Cycle> seen;

 private:
  void tick() override {
    seen.push_back(now());
    if (seen.size() == 1)
      for (const Cycle cycle : wakes_) clock().due_at(cycle);
    if (seen.size() == 3) throw Error("tick", "fails on request");
  }
  std::vector<Cycle> wakes_;
};

TEST(Clock, TicksInTheCyclesThatWereAskedForAndStopsOnErrors) {
  const testing_support::Simulation simulation;
  RunStatus status;
  Clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS), status);
  Ticker ticker("ticker", clock, {9, 5, 5, 2000, 12});
  clock.start(3);
  sc_core::sc_start();
  EXPECT_EQ(ticker.seen, (std::vector<Cycle>{3, 5, 9}));
  EXPECT_TRUE(status.failed());
  EXPECT_THROW(status.rethrow(), Error);
}

TEST(Clock, EveryCycleTicksWithoutGaps) {
  const testing_support::Simulation simulation;
  RunStatus status;
  Clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS), status, true);
  Ticker ticker("ticker", clock, {});
  clock.start(3);
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
  EXPECT_EQ(ticker.seen, (std::vector<Cycle>{3, 4, 5}));
}

using Log = std::vector<std::string>;

class Logger : public ClockedModule {
 public:
  Logger(const char* name, Clock& clock, Log& log, Cycle last)
      : ClockedModule(name, clock), log_(&log), last_(last) {}
  std::function<void(Cycle)> also = [](Cycle) {};

 private:
  void tick() override {
    log_->push_back(fmt::format("{}@{}", basename(), now() * clock().period().value()));
    also(now());
    if (now() < last_) clock().wake();
  }
  Log* log_;
  Cycle last_;
};

class Guest : public sc_core::sc_module {
 public:
  Guest(const sc_core::sc_module_name& name, Clock& clock, Log& log, std::uint64_t period, int times)
      : sc_module(name), clock_(&clock), log_(&log), period_(period), times_(times) {
    SC_HAS_PROCESS(Guest);
    SC_THREAD(run);
    SC_METHOD(called);
    sensitive << call;
    dont_initialize();
  }
  sc_core::sc_event call;

 private:
  void run() {
    for (int i = 0; i < times_; ++i) {
      wait(sc_core::sc_time::from_value(period_));
      note("guest");
    }
  }
  void called() { note("called"); }
  void note(const char* what) {
    log_->push_back(fmt::format("{}@{}", what, sc_core::sc_time_stamp().value()));
    EXPECT_EQ(clock_->sync(), sc_core::sc_time_stamp().value() / clock_->period().value());
  }
  Clock* clock_;
  Log* log_;
  std::uint64_t period_;
  int times_;
};

struct Machine {
  explicit Machine(bool ahead) {
    fast.run_ahead(ahead);
    slow.run_ahead(ahead);
  }
  testing_support::Simulation simulation;
  RunStatus status;
  Log log;
  Clock fast{"fast_clock", sc_core::sc_time::from_value(10), status};
  Clock slow{"slow_clock", sc_core::sc_time::from_value(25), status};
};

class BothWays : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Clock, BothWays, testing::Bool(),
                         [](const auto& way) { return way.param ? "ahead" : "exact"; });

TEST_P(BothWays, ClocksAndGuestsMeetInTheOrderOfTime) {
  Machine m(GetParam());
  Logger a("a", m.fast, m.log, 7), b("b", m.slow, m.log, 3);
  Guest guest("guest_module", m.fast, m.log, 32, 2);
  m.fast.start(1);
  m.slow.start(1);
  sc_core::sc_start();
  const Log expected = {"a@10", "a@20", "b@25", "a@30",     "guest@32", "a@40",
                        "a@50", "b@50", "a@60", "guest@64", "a@70",     "b@75"};
  EXPECT_EQ(m.log, expected);
  EXPECT_EQ(sc_core::sc_time_stamp().value(), 75u);
}

TEST_P(BothWays, AnEventOfAGuestComesAtThePresentTimeAfterAllTicks) {
  Machine m(GetParam());
  Logger a("a", m.fast, m.log, 6), b("b", m.slow, m.log, 2);
  Guest guest("guest_module", m.fast, m.log, 1, 0);
  a.also = [&](Cycle cycle) {
    if (cycle == 3 || cycle == 5) m.fast.notify_outside(guest.call);
  };
  m.fast.start(2);
  m.slow.start(1);
  sc_core::sc_start();
  const Log expected = {"a@20", "b@25", "a@30", "called@30", "a@40", "a@50", "b@50", "called@50", "a@60"};
  EXPECT_EQ(m.log, expected);
}

TEST_P(BothWays, APauseComesAfterAllTicksOfTheTimeAndForgetsNone) {
  Machine m(GetParam());
  Logger a("a", m.fast, m.log, 7), b("b", m.slow, m.log, 3);
  a.also = [&](Cycle cycle) {
    if (cycle == 5) m.fast.pause();
  };
  m.fast.start(4);
  m.slow.start(2);
  sc_core::sc_start();
  EXPECT_EQ(m.log, (Log{"a@40", "a@50", "b@50"}));
  EXPECT_EQ(sc_core::sc_time_stamp().value(), 50u);
  sc_core::sc_start();
  EXPECT_EQ(m.log, (Log{"a@40", "a@50", "b@50", "a@60", "a@70", "b@75"}));
}

TEST_P(BothWays, AFailureEndsTheRunAtItsTime) {
  Machine m(GetParam());
  Logger a("a", m.fast, m.log, 100);
  a.also = [&](Cycle cycle) {
    if (cycle == 40) throw Error("tick", "fails on request");
  };
  m.fast.start(1);
  sc_core::sc_start();
  EXPECT_EQ(m.log.size(), 40u);
  EXPECT_EQ(sc_core::sc_time_stamp().value(), 400u);
  EXPECT_THROW(m.status.rethrow(), Error);
}

TEST_P(BothWays, TwoMachinesRunInOneSimulation) {
  Machine m(GetParam());
  RunStatus other;
  Clock own("own_clock", sc_core::sc_time::from_value(16), other);
  own.run_ahead(GetParam());
  Logger a("a", m.fast, m.log, 6), c("c", own, m.log, 3);
  m.fast.start(1);
  own.start(1);
  sc_core::sc_start();
  EXPECT_EQ(m.log, (Log{"a@10", "c@16", "a@20", "a@30", "c@32", "a@40", "c@48", "a@50", "a@60"}));
}

TEST(Clock, AnUnannouncedPauseIsSeen) {
  Machine m(true);
  Logger a("a", m.fast, m.log, 5000);
  m.fast.observe([](Cycle cycle) {
    if (cycle == 100) sc_core::sc_pause();
  });
  m.fast.start(1);
  sc_core::sc_start();
  EXPECT_GE(m.log.size(), 100u);
  EXPECT_LE(m.log.size(), 1200u);
}

TEST(Clock, AGuestOfOneClockMakesAllOfThemExact) {
  Machine m(true);
  m.slow.run_ahead(false);
  Logger a("a", m.fast, m.log, 6), b("b", m.slow, m.log, 2);
  const auto check = [&](Clock& clock) {
    return [&](Cycle cycle) { EXPECT_EQ(sc_core::sc_time_stamp().value(), cycle * clock.period().value()); };
  };
  a.also = check(m.fast);
  b.also = check(m.slow);
  m.fast.start(1);
  m.slow.start(1);
  sc_core::sc_start();
  EXPECT_EQ(m.log.size(), 8u);
}

/// A module that states the cycles in which it must run, and sleeps between them.
class Sleeper : public ClockedModule {
 public:
  Sleeper(const char* name, Clock& clock) : ClockedModule(name, clock) { rest(); }
  std::vector<Cycle> seen;

 private:
  void tick() override {
    seen.push_back(now());
    due_at(now() < 10 ? now() + 4 : kNever);
  }
};

TEST(Clock, AModuleIsCalledWhenItIsDueOrSomethingArrives) {
  Machine m(true);
  Logger a("a", m.fast, m.log, 40);
  Sleeper sleeper("sleeper", m.fast);
  a.also = [&](Cycle cycle) {
    if (cycle == 6) sleeper.wake();
    if (cycle == 20) sleeper.due_at(25);
    if (cycle == 21) sleeper.due_at(30);
  };
  m.fast.start(1);
  sc_core::sc_start();
  EXPECT_EQ(sleeper.seen, (std::vector<Cycle>{1, 5, 7, 11, 25}));
}

class Numbered : public ClockedModule {
 public:
  Numbered(const sc_core::sc_module_name& name, Clock& clock, int number, std::vector<int>& calls)
      : ClockedModule(name, clock), number_(number), calls_(&calls) {
    rest();
  }

 private:
  void tick() override { calls_->push_back(number_); }
  int number_;
  std::vector<int>* calls_;
};

// A clock has more modules than a machine word has bits. After one of the modules is destroyed, the other
// modules must run in the order of their construction.
TEST(Clock, ModulesThatAreDueAreCalledInTheOrderOfTheirConstruction) {
  Machine m(true);
  Logger a("a", m.fast, m.log, 2);
  std::vector<int> calls;
  std::vector<std::unique_ptr<Numbered>> modules;
  for (int i = 0; i < 150; ++i)
    modules.push_back(std::make_unique<Numbered>(fmt::format("m{}", i).c_str(), m.fast, i, calls));
  modules[70].reset();
  a.also = [&](Cycle cycle) {
    if (cycle != 2) return;
    for (const std::size_t i : {149u, 64u, 3u, 63u, 0u}) modules[i]->due_at(5);
    modules[62]->due_at(4);
  };
  m.fast.start(1);
  sc_core::sc_start();
  std::vector<int> expected;
  for (int i = 0; i < 150; ++i)
    if (i != 70) expected.push_back(i);
  for (const int i : {62, 0, 3, 63, 64, 149}) expected.push_back(i);
  EXPECT_EQ(calls, expected);
}

TEST(Clock, ADueCycleRequestsItsTick) {
  Machine m(true);
  Sleeper sleeper("sleeper", m.fast);
  m.fast.start(2);
  sc_core::sc_start();
  EXPECT_EQ(sleeper.seen, (std::vector<Cycle>{2, 6, 10}));
}

// A module is due from cycle 22 on, but requests no tick of its clock. The module must then run in the next
// tick that the clock has for another reason.
TEST(Clock, AModuleThatIsDueFromACycleOnWaitsForATick) {
  Machine m(true);
  Logger a("a", m.fast, m.log, 8);
  Sleeper sleeper("sleeper", m.fast);
  a.also = [&](Cycle cycle) {
    if (cycle != 20) return;
    sleeper.be_due(22);
    m.fast.due_at(25);
  };
  m.fast.start(1);
  m.fast.due_at(20);
  sc_core::sc_start();
  EXPECT_EQ(sleeper.seen, (std::vector<Cycle>{1, 5, 9, 13, 25}));
}

class Note : public Clock::Opening {
 public:
  Note(const char* name, const Clock& clock, Log& log, Cycle fails = kNever)
      : name_(name), clock_(clock), log_(log), fails_(fails) {}
  void open_cycle() override {
    if (clock_.now() == fails_) throw Error(name_, "fails on request");
    log_.push_back(fmt::format("{}@{}", name_, clock_.now()));
  }

 private:
  const char* name_;
  const Clock& clock_;
  Log& log_;
  Cycle fails_;
};

// In cycle 3, the module passes `first` (twice) and `second` to open_next(). The clock must call each of them
// once, at the start of the next tick. This tick is in cycle 6, because no module requests cycles 4 and 5.
TEST(Clock, WhatOpensATickComesBeforeItsModulesOnce) {
  const testing_support::Simulation simulation;
  RunStatus status;
  Clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS), status);
  Log log;
  Note first("first", clock, log), second("second", clock, log);
  struct Module : ClockedModule {
    Module(const char* name, Clock& c, Log& l, std::function<void(Cycle)> f)
        : ClockedModule(name, c), log_note(&l), also(std::move(f)) {}
    void tick() override {
      log_note->push_back(fmt::format("tick@{}", now()));
      also(now());
    }
    Log* log_note;
    std::function<void(Cycle)> also;
  };
  Module module("module", clock, log, [&](Cycle cycle) {
    if (cycle == 3) {
      clock.open_next(first);
      clock.open_next(second);
      clock.open_next(first);
    }
    if (cycle < 8) clock.due_at(cycle == 3 ? 6 : 8);
  });
  clock.start(3);
  sc_core::sc_start();
  status.rethrow();
  EXPECT_EQ(log, (Log{"tick@3", "second@6", "first@6", "tick@6", "tick@8"}));
}

TEST(Clock, AFailureOfWhatOpensATickEndsTheRunBeforeItsModules) {
  const testing_support::Simulation simulation;
  RunStatus status;
  Clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS), status);
  Log log;
  Note note("note", clock, log, 5);
  Ticker ticker("ticker", clock, {5, 6});
  clock.open_next(note);
  clock.start(5);
  sc_core::sc_start();
  EXPECT_EQ(ticker.seen, std::vector<Cycle>{});
  EXPECT_THROW(status.rethrow(), Error);
}

}  // namespace
}  // namespace heddle
