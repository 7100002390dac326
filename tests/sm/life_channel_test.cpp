// Tests in which cycle the reader of an SM's back-end events (the issue stage in the model) receives each
// event of an instruction.

#include "models/ports/life_channel.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "tests/support/simulation.h"

namespace heddle {
namespace {

class Reader : public ClockedModule {
 public:
  Reader(Clock& clock, LifeChannel& life) : ClockedModule("reader", clock), life_(life) {
    rest();
    life.set_reader(*this);
  }
  std::vector<std::pair<Cycle, Life>> heard;

 private:
  void tick() override {
    life_.drain([this](const LifeChannel::Report& report) { heard.emplace_back(now(), report.what); });
  }
  LifeChannel& life_;
};

class Teller : public ClockedModule {
 public:
  explicit Teller(Clock& clock) : ClockedModule("teller", clock) {}
  std::map<Cycle, std::function<void()>> actions;

 private:
  void tick() override {
    if (const auto it = actions.find(now()); it != actions.end()) it->second();
    if (now() < 60) clock().wake();
  }
};

class LifeChannelTest : public testing::Test {
 protected:
  void run() {
    clock.start(1);
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
    status.rethrow();
  }
  testing_support::Simulation simulation;
  RunStatus status;
  Clock clock{"clock", sc_core::sc_time(1, sc_core::SC_NS), status};
  LifeChannel life{clock, WarpHomes{}};
  InstructionFootprint near, far;
  InFlight item, load;
  Reader reader{clock, life};
  Teller teller{clock};
  using Heard = std::vector<std::pair<Cycle, Life>>;
};

TEST_F(LifeChannelTest, DispatchesWaitForSomethingElseWhereTheyChangeNothing) {
  near.long_latency = false;
  far.long_latency = true;
  item.footprint = &near;
  load.footprint = &far;
  life.let_dispatches_wait(true);
  teller.actions[10] = [this] { life.dispatched(item); };
  teller.actions[20] = [this] { life.completed(item); };
  teller.actions[30] = [this] { life.dispatched(load); };
  teller.actions[40] = [this] {
    life.let_dispatches_wait(false);
    life.dispatched(item);
  };
  run();
  EXPECT_EQ(
      reader.heard,
      (Heard{{21, Life::dispatched}, {21, Life::completed}, {31, Life::dispatched}, {41, Life::dispatched}}));
}

// The reader also runs in the cycle of the event, for another reason. Even then, the reader must not receive
// the event before the next cycle.
class LaterReader : public LifeChannelTest {};
TEST_F(LaterReader, AReportBeforeTheReadersTurnWaitsForTheNextCycle) {
  item.footprint = &near;
  Teller first{clock};
  Reader second{clock, life};
  life.let_dispatches_wait(true);
  first.actions[10] = [this] { life.dispatched(item); };
  first.actions[11] = [&] {
    second.be_due(12);
    life.dispatched(item);
  };
  first.actions[12] = [this] { life.completed(item); };
  run();
  EXPECT_EQ(second.heard, (Heard{{12, Life::dispatched}, {12, Life::dispatched}, {13, Life::completed}}));
}

}  // namespace
}  // namespace heddle
