// Tests clocks whose ticks run in parallel on several host threads. Results must be the same for any number
// of threads.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "models/core/error.h"
#include "models/time/clock.h"
#include "models/time/tick_team.h"
#include "tests/support/simulation.h"

namespace heddle::tick_team_test {
namespace {

constexpr std::uint64_t kPeriod = 10;

class Worker : public ClockedModule {
 public:
  Worker(const std::string& name, Clock& clock, Cycle last)
      : ClockedModule(name.c_str(), clock), last_(last) {}
  std::function<void(Cycle)> work = [](Cycle) {};

 private:
  void tick() override {
    work(now());
    if (now() < last_) clock().wake();
  }
  Cycle last_;
};

/// A machine with one common clock, and `count` further clocks whose ticks run in parallel.
struct Machine {
  Machine(int count, int threads, Cycle last) {
    status.time_base()->use_threads(threads);
    shared.run_ahead();
    for (int i = 0; i < count; ++i) {
      Clock& clock = *clocks.emplace_back(std::make_unique<Clock>(
          fmt::format("clock{}", i).c_str(), sc_core::sc_time::from_value(kPeriod), status));
      clock.run_ahead();
      clock.parallel_with_others(true);
      workers.push_back(std::make_unique<Worker>(fmt::format("worker{}", i), clock, last));
    }
  }
  void run() {
    for (auto& clock : clocks) clock->start(1);
    sc_core::sc_start();
  }
  testing_support::Simulation simulation;
  RunStatus status;
  Clock shared{"shared", sc_core::sc_time::from_value(kPeriod), status};
  std::vector<std::unique_ptr<Clock>> clocks;
  std::vector<std::unique_ptr<Worker>> workers;
};

// The modules of the first and the last clock wait for each other, so their ticks can end only if two host
// threads run the ticks at the same time.
TEST(TickTeam, RunsTicksBesideEachOther) {
  Machine machine(2 * TickTeam::kTicksAThread, 2, 3);
  std::atomic<int> met = 0;
  const auto meet = [&met](Cycle cycle) {
    ++met;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (met < 2 * static_cast<int>(cycle) && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
    if (met < 2 * static_cast<int>(cycle)) throw Error("tick", "nobody came");
  };
  machine.workers.front()->work = machine.workers.back()->work = meet;
  machine.run();
  EXPECT_NO_THROW(machine.status.rethrow());
  EXPECT_EQ(met, 6);
}

TEST(TickTeam, LeavesFewTicksWithTheirThread) {
  Machine machine(2 * TickTeam::kTicksAThread - 1, 2, 100);
  std::set<std::thread::id> threads;
  for (auto& worker : machine.workers)
    worker->work = [&threads](Cycle) { threads.insert(std::this_thread::get_id()); };
  machine.run();
  EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
}

class Threads : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(TickTeam, Threads, testing::Values(1, 2, 3, 5));

TEST_P(Threads, EveryTickRunsOnceAndEveryRequestIsHeard) {
  constexpr Cycle kLast = 3000;
  Machine machine(14, GetParam(), kLast);
  std::vector<Cycle> heard, asked;
  Worker listener("listener", machine.shared, 0);
  listener.work = [&heard](Cycle cycle) { heard.push_back(cycle); };
  std::vector<Cycle> ticks(machine.workers.size());
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < machine.workers.size(); ++i)
    machine.workers[i]->work = [&, i](Cycle cycle) {
      EXPECT_EQ(++ticks[i], cycle);
      const auto alone = machine.status.time_base()->alone();
      sum += cycle;
      machine.shared.sync();
      if (cycle % (20 + i) == 0) machine.shared.wake();
      if (cycle % (100 + i) == 0) machine.shared.due_at(cycle + 2000);
    };
  machine.run();
  EXPECT_EQ(sum, 14 * kLast * (kLast + 1) / 2);
  std::set<Cycle> expected;
  for (Cycle cycle = 1; cycle <= kLast; ++cycle)
    for (std::size_t i = 0; i < 14; ++i) {
      if (cycle % (20 + i) == 0) expected.insert(cycle + 1);
      if (cycle % (100 + i) == 0) expected.insert(cycle + 2000);
    }
  EXPECT_EQ(heard, std::vector<Cycle>(expected.begin(), expected.end()));
}

TEST_P(Threads, WhatIsBehindTicksComesInTheOrderOfTheClocks) {
  Machine machine(12, GetParam(), 9);
  std::vector<std::string> log;
  for (int i = 0; i < 12; ++i) {
    if (i % 5 == 4)
      machine.workers[static_cast<std::size_t>(i)]->work = [i](Cycle cycle) {
        if (cycle == 3) throw Error("tick", fmt::format("clock {} fails", i));
      };
    machine.clocks[static_cast<std::size_t>(i)]->observe(
        [&log, i](Cycle cycle) { log.push_back(fmt::format("{}@{}", i, cycle)); });
  }
  machine.run();
  std::vector<std::string> expected;
  for (int cycle = 1; cycle <= 3; ++cycle)
    for (int i = 0; i < 12; ++i)
      if (cycle < 3 || i % 5 != 4) expected.push_back(fmt::format("{}@{}", i, cycle));
  EXPECT_EQ(log, expected);
  try {
    machine.status.rethrow();
    ADD_FAILURE() << "no failure";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("clock 4 fails"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace heddle::tick_team_test
