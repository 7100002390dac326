// Tests one execution unit between test modules: the earliest cycle of each result, initiation intervals, and
// the case that the receiver does not take results.

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <map>

#include "models/core/error.h"
#include "models/exec/partition_units.h"
#include "tests/support/lane_planners.h"
#include "tests/support/simulation.h"

namespace heddle {
namespace {

constexpr int kOverhead = 5;

// Sends instructions in given cycles and records in which cycle each result could be taken.
class Bench : public ClockedModule {
 public:
  Bench(const sc_core::sc_module_name& name, Clock& clock, LifeChannel& life, ExecutionUnit& unit)
      : ClockedModule(name, clock), life_(life), to_unit_("to_unit"), from_unit_("from_unit", *this, 2) {
    to_unit_.socket.bind(unit.input());
    unit.output().bind(from_unit_.socket);
  }
  std::multimap<Cycle, InFlight*> feed;
  std::vector<std::pair<Cycle, const InFlight*>> out;
  Cycle read_from = 0;
  std::function<void()> at_18 = [] {};

 private:
  void tick() override {
    if (now() == 18) at_18();
    while (now() >= read_from && from_unit_.can_pop()) out.emplace_back(now(), from_unit_.pop());
    while (!feed.empty() && feed.begin()->first <= now() && to_unit_.offer(feed.begin()->second))
      feed.erase(feed.begin());
    life_.drain([this](const LifeChannel::Report& report) {
      if (report.what == Life::left) left.emplace_back(now() - 1, report.item);
    });
    if (now() < 300) clock().wake();
  }

  LifeChannel& life_;
  InstructionOutlet to_unit_;
  InstructionInlet from_unit_;

 public:
  std::vector<std::pair<Cycle, const InFlight*>> left;
};

class ExecutionUnitTest : public testing::Test {
 protected:
  void build(const UnitParameters& parameters) {
    clock = std::make_unique<Clock>("clock", sc_core::sc_time(1, sc_core::SC_NS), status);
    life = std::make_unique<LifeChannel>(*clock, WarpHomes{});
    unit = std::make_unique<ExecutionUnit>("unit", *clock, *life, parameters, isa::UnitClass::int_,
                                           UnitOverhead{kOverhead}, StatsScope(stats, "unit"));
    bench = std::make_unique<Bench>("bench", *clock, *life, *unit);
  }
  InFlight* item(isa::OpClass c) {
    isa::Instruction& instruction = instructions.emplace_back();
    instruction.op_class = c;
    InstructionFootprint& footprint = footprints.emplace_back();
    footprint.timing = isa::timing_index(c, isa::OpTiming::own);
    InFlight& record = records.emplace_back();
    record.instruction = &instruction;
    record.footprint = &footprint;
    record.mask = kAllLanes;
    return &record;
  }
  std::vector<Cycle> run() {
    clock->start(1);
    sc_core::sc_start(sc_core::sc_time(400, sc_core::SC_NS));
    status.rethrow();
    std::vector<Cycle> cycles;
    for (const auto& [cycle, record] : bench->out) cycles.push_back(cycle);
    return cycles;
  }

  testing_support::Simulation simulation;
  RunStatus status;
  StatsRegistry stats;
  std::deque<isa::Instruction> instructions;
  std::deque<InstructionFootprint> footprints;
  std::deque<InFlight> records;
  std::unique_ptr<Clock> clock;
  std::unique_ptr<LifeChannel> life;
  std::unique_ptr<ExecutionUnit> unit;
  std::unique_ptr<Bench> bench;
};

// An instruction that is sent in cycle 10 must start in cycle 11. Its result must leave after the unit's
// depth, which is the latency minus the cycles outside of the unit.
TEST_F(ExecutionUnitTest, ShortestLatencyLeavesOneCycle) {
  UnitParameters p;
  p.int_add.latency_cycles = kOverhead + 1;
  build(p);
  bench->feed.emplace(10, item(isa::OpClass::int_add));
  EXPECT_EQ(run(), std::vector<Cycle>{12});
  ASSERT_EQ(bench->left.size(), 1u);
  EXPECT_EQ(bench->left.front().first, 11u) << "told in the cycle in which it goes to the result bus";
}

// The listener set by set_listener_of_left() must be notified of an event `left` in its cycle. The reader of
// back-end events (in an SM, the issue stage) must then not receive the event. When follow() subscribes
// another listener to `left`, the reader must receive it instead.
TEST_F(ExecutionUnitTest, AListenerOfLeftReceivesItInTheCycleInsteadOfTheReader) {
  struct Hearer : LifeListener {
    void left(const InFlight&) override { cycles.push_back(clock->now()); }
    const Clock* clock = nullptr;
    std::vector<Cycle> cycles;
  } hearer, follower;
  UnitParameters p;
  p.int_add.latency_cycles = kOverhead + 1;
  build(p);
  hearer.clock = follower.clock = clock.get();
  life->set_listener_of_left(hearer);
  bench->feed.emplace(10, item(isa::OpClass::int_add));
  bench->feed.emplace(20, item(isa::OpClass::int_add));
  bench->at_18 = [&] { life->follow(follower, {Life::left}); };
  run();
  EXPECT_EQ(hearer.cycles, std::vector<Cycle>{11});
  ASSERT_EQ(bench->left.size(), 1u);
  EXPECT_EQ(bench->left.front().first, 21u);
}

TEST_F(ExecutionUnitTest, DepthIsTheLatencyLessTheOverhead) {
  UnitParameters p;
  p.int_add.latency_cycles = 40;
  build(p);
  bench->feed.emplace(10, item(isa::OpClass::int_add));
  EXPECT_EQ(run(), std::vector<Cycle>{10 + 1 + 40 - kOverhead});
}

TEST_F(ExecutionUnitTest, IntervalsSpaceTheStarts) {
  UnitParameters p;
  p.int_mul = {9, 3};
  build(p);
  for (int i = 0; i < 3; ++i) bench->feed.emplace(10, item(isa::OpClass::int_mul));
  EXPECT_EQ(run(), (std::vector<Cycle>{15, 18, 21}));
}

TEST_F(ExecutionUnitTest, FullRateAtIntervalOne) {
  build({});
  for (Cycle i = 0; i < 6; ++i) bench->feed.emplace(10 + i, item(isa::OpClass::int_add));
  EXPECT_EQ(run(), (std::vector<Cycle>{14, 15, 16, 17, 18, 19}));
}

TEST_F(ExecutionUnitTest, ShortOperationsPassLongOnes) {
  UnitParameters p;
  p.int_div = {50, 1};
  build(p);
  InFlight* slow = item(isa::OpClass::int_div);
  InFlight* fast = item(isa::OpClass::int_add);
  bench->feed.emplace(10, slow);
  bench->feed.emplace(11, fast);
  EXPECT_EQ(run(), (std::vector<Cycle>{15, 56}));
  EXPECT_EQ(bench->out.front().second, fast);
}

TEST_F(ExecutionUnitTest, FullOutputLosesNothing) {
  build({});
  bench->read_from = 100;
  for (Cycle i = 0; i < 6; ++i) bench->feed.emplace(10 + i, item(isa::OpClass::int_add));
  EXPECT_EQ(run(), (std::vector<Cycle>{100, 100, 102, 103, 104, 105}));
  EXPECT_FALSE(unit->busy());
}

// The result of an instruction with two passes leaves the unit one initiation interval later than that of an
// instruction with one pass. The unit takes the next instruction after both passes.
TEST_F(ExecutionUnitTest, TwoPassesTakeAnotherInterval) {
  UnitParameters p;
  p.int_mul = {9, 3};
  build(p);
  testing_support::LowerHalfPlanner planner;
  for (int i = 0; i < 3; ++i) {
    InFlight* record = item(isa::OpClass::int_mul);
    if (i < 2)
      record->plan = planner.plan({0, 0, isa::UnitClass::int_, isa::OpClass::int_mul, record->mask},
                                  record->plan_storage);
    bench->feed.emplace(10, record);
  }
  EXPECT_EQ(run(), (std::vector<Cycle>{15 + 3, 15 + 6 + 3, 15 + 12}));
  EXPECT_EQ(planner.two_passes, 2);
}

// Without half-precision units, two operands are widened one after the other, the operation executes, and the
// result is narrowed. An operation on a pair of halves must take twice this time.
TEST(UnitParameters, HalvesWithoutUnitsTakeTheTimeOfConversions) {
  UnitParameters p;
  p.half_units = true;
  p.convert = {10, 4};
  p.fp32 = {6, 1};
  p.fp16 = {7, 2};
  EXPECT_EQ(p.timing(isa::OpClass::fp16).latency_cycles, 7);
  EXPECT_EQ(p.timing(isa::OpClass::fp16x2).interval_cycles, 2);
  p.half_units = false;
  EXPECT_EQ(p.timing(isa::OpClass::fp16).latency_cycles, 10 + 4 + 6 + 10);
  EXPECT_EQ(p.timing(isa::OpClass::fp16).interval_cycles, 4 + 4 + 1 + 4);
  EXPECT_EQ(p.timing(isa::OpClass::fp16x2).latency_cycles, 30 + 13);
  EXPECT_EQ(p.timing(isa::OpClass::fp16x2).interval_cycles, 26);
}

TEST_F(ExecutionUnitTest, RefusesLatenciesWithoutACycleForTheUnit) {
  UnitParameters p;
  p.fp32.latency_cycles = kOverhead;
  EXPECT_THROW(build(p), Error);
}

}  // namespace
}  // namespace heddle
