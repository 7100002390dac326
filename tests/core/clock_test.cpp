// Time: which cycles tick, and that sleeping forgets nothing.

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "models/core/error.h"
#include "models/ports/clock.h"
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
      const Cycle distance = random() % 8 == 0 ? 1 + random() % 5000 : 1 + random() % 40;
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
  for (const Cycle distance : {1u, 63u, 64u, 65u, 1022u, 1023u, 1024u, 1025u, 5000u}) {
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
      for (const Cycle cycle : wakes_) clock().wake_at(cycle);
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

}  // namespace
}  // namespace heddle
