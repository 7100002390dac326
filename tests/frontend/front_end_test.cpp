// Tests the front end with its instruction buffers. The test takes instructions from the buffers as the issue
// stage does.

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "models/core/registry.h"
#include "models/frontend/front_end.h"
#include "models/sm/instruction_buffers.h"
#include "tests/support/simulation.h"

namespace heddle {
namespace {

isa::Program program_of(std::size_t length, std::map<std::size_t, isa::Opcode> special = {}) {
  isa::Program program;
  program.code.resize(length);
  for (auto& instruction : program.code) instruction.op = isa::Opcode::add;
  for (const auto& [pc, op] : special) program.code[pc].op = op;
  program.code.back().op = isa::Opcode::exit;
  return program;
}

// A front-end stage that stores all metadata words. A warp's latch gets the payload of the warp's last
// metadata word, and counts down to 0, by one at each later instruction.
class Remembering : public FrontEndStage {
 public:
  Remembering(const NoParameters&, Context&) {}
  Cycle allow(const Fetch& fetch) override { return fetch.now; }
  FrontEndWants wants() const override {
    return front_end_wants::fetches | front_end_wants::metadata | front_end_wants::instructions;
  }
  bool holds(const DecodePlace& place, std::uint64_t& latch) override {
    const auto it = words_.find(place.address());
    if (it == words_.end()) return false;
    latch = it->second;
    return true;
  }
  void decoded(const DecodePlace& place, std::uint64_t& latch) override {
    const isa::Instruction& instruction = place.instruction();
    if (!instruction.metadata) {
      if (latch != 0) --latch;
      return;
    }
    latch = words_[place.address()] = instruction.payload;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> words_;
};

const Registration<FrontEndStage, Remembering> front_end_test_entry{"test-remembering",
                                                                    "remembers all metadata"};

// Stands in for the issue stage. In every cycle, it records the instructions that could issue. In some
// cycles, it runs a function of the test (`actions`).
class Driver : public ClockedModule {
 public:
  Driver(const sc_core::sc_module_name& name, Clock& clock, FrontEnd& front_end, int entries)
      : ClockedModule(name, clock), buffers(clock, 8, entries, stale) {
    front_end.output().bind(buffers.socket);
  }
  Counter stale;
  InstructionBuffers buffers;
  std::map<Cycle, std::function<void()>> actions;
  /// for each cycle, PCs of those instructions of warp 0 that could issue
  std::map<Cycle, std::vector<std::uint32_t>> visible;
  std::map<Cycle, std::uint64_t> arrivals;
  /// for each pc, the metadata word that is attached to the instruction
  std::map<std::uint32_t, std::uint64_t> attached;
  bool consume = false;

 private:
  void tick() override {
    if (const std::uint64_t warps = buffers.take_arrivals().bits()) arrivals[now()] = warps;
    if (const auto it = actions.find(now()); it != actions.end()) it->second();
    const auto& buffer = buffers.of(WarpId(0));
    for (std::size_t i = 0; buffer.can_issue(now(), i); ++i)
      visible[now()].push_back(buffer.peek(i).pc), attached[buffer.peek(i).pc] = buffer.peek(i).attached;
    if (consume && !visible[now()].empty()) {
      buffers.pop(WarpId(0));
      buffers.consumed(WarpId(0));
    }
    if (now() < 60) clock().wake();
  }
};

class FrontEndTest : public testing::Test {
 protected:
  void build(const FrontEndParameters& parameters) {
    clock = std::make_unique<Clock>("clock", sc_core::sc_time(1, sc_core::SC_NS), status);
    front_end =
        std::make_unique<FrontEnd>("front_end", *clock, parameters, 8, StatsScope(stats, "front_end"));
    driver = std::make_unique<Driver>("driver", *clock, *front_end, parameters.ibuffer_entries);
  }
  void run() {
    clock->start(1);
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
    status.rethrow();
  }
  void redirect_at(Cycle cycle, std::uint32_t pc) {
    driver->actions[cycle] = [this, pc] { driver->buffers.redirect(WarpId(0), &program, pc); };
  }
  std::uint64_t counter(const std::string& name) const {
    for (const CounterInfo& info : stats.counters())
      if (info.name == name) return info.counter->value();
    return ~std::uint64_t{0};
  }

  testing_support::Simulation simulation;
  RunStatus status;
  StatsRegistry stats;
  isa::Program program = program_of(12);
  std::unique_ptr<Clock> clock;
  std::unique_ptr<FrontEnd> front_end;
  std::unique_ptr<Driver> driver;
};

TEST_F(FrontEndTest, RedirectShowsAfterOneCycleAndTheLatency) {
  FrontEndParameters p;
  p.latency_cycles = 5;
  build(p);
  redirect_at(10, 3);
  run();
  EXPECT_EQ(driver->visible.count(15) ? driver->visible[15].size() : 0u, 0u);
  EXPECT_EQ(driver->visible[16], (std::vector<std::uint32_t>{3, 4}));
  EXPECT_EQ(driver->visible[17], (std::vector<std::uint32_t>{3, 4, 5, 6}));
  EXPECT_EQ(driver->arrivals.begin()->first, 16u);
  EXPECT_EQ(driver->visible[50].size(), 4u) << "the buffer is full";
}

TEST_F(FrontEndTest, LaterRedirectEmptiesTheBuffer) {
  build({});
  redirect_at(10, 0);
  redirect_at(20, 7);
  run();
  EXPECT_EQ(driver->visible[19].front(), 0u);
  EXPECT_TRUE(driver->visible[20].empty());
  EXPECT_TRUE(driver->visible[22].empty());
  EXPECT_EQ(driver->visible[23].front(), 7u);
  EXPECT_EQ(driver->buffers.of(WarpId(0)).peek(0).epoch, 2u);
}

TEST_F(FrontEndTest, StopsBehindAnUnconditionalBranch) {
  program = program_of(12, {{1, isa::Opcode::bra}});
  build({});
  redirect_at(10, 0);
  run();
  EXPECT_EQ(driver->visible[40], (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(counter("decodes"), 2u);
}

TEST_F(FrontEndTest, GoesOnBehindAConditionalBranchAndSkipsMetadata) {
  program = program_of(6, {{1, isa::Opcode::bra}});
  program.code[1].guard.present = true;
  program.code[2].metadata = true;
  build({});
  driver->consume = true;
  redirect_at(10, 0);
  run();
  std::vector<std::uint32_t> order;
  for (const auto& [cycle, pcs] : driver->visible)
    if (!pcs.empty()) order.push_back(pcs.front());
  EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 1, 3, 4, 5}));
  EXPECT_EQ(counter("decodes"), 6u) << "metadata is fetched and decoded";
}

TEST_F(FrontEndTest, StoppedWarpsFetchNoMore) {
  build({});
  driver->consume = true;
  redirect_at(10, 0);
  driver->actions[13] = [this] { driver->buffers.stop(WarpId(0)); };
  run();
  EXPECT_LT(counter("decodes"), 10u);
  EXPECT_TRUE(driver->buffers.of(WarpId(0)).empty());
}

class MetadataTest : public FrontEndTest {
 protected:
  void run_twice() {
    program = program_of(6);
    for (const std::size_t pc : {0u, 3u}) program.code[pc].metadata = true;
    program.code[0].payload = 100;
    program.code[3].payload = 200;
    FrontEndParameters p;
    p.ibuffer_entries = 16;
    p.stages = {ConfigNode::make_string("test-remembering")};
    build(p);
    redirect_at(10, 0);
    redirect_at(30, 0);
    run();
  }
};

TEST_F(MetadataTest, HeldAtTheStartOfAFetchIsPassedOverAndWithinOneNotDecoded) {
  run_twice();
  // The program's six words are fetched two at a time; words 0 and 3 are metadata (m). Fetches of the first
  // pass: {m0 1} {2 m3} {4 5}. In the second pass, the stage holds both metadata words. A fetch that would
  // begin with such a word skips it: m0 before {1 2}, m3 before {4 5}.
  EXPECT_EQ(counter("metadata_decodes"), 2u);
  EXPECT_EQ(counter("metadata_passed"), 2u);
  EXPECT_EQ(counter("metadata_undecoded"), 0u);
  EXPECT_EQ(counter("decodes"), 6u + 4u);
  EXPECT_EQ(counter("fetches"), 3u + 2u);
  EXPECT_EQ(driver->stale.value(), 4u);
}

TEST_F(MetadataTest, HeldWithinAWiderFetchIsNotDecoded) {
  program = program_of(6);
  program.code[1].metadata = true;
  program.code[1].payload = 7;
  FrontEndParameters p;
  p.ibuffer_entries = 16;
  p.stages = {ConfigNode::make_string("test-remembering")};
  build(p);
  redirect_at(10, 0);
  redirect_at(30, 0);
  run();
  EXPECT_EQ(counter("metadata_decodes"), 1u);
  EXPECT_EQ(counter("metadata_passed"), 0u);
  EXPECT_EQ(counter("metadata_undecoded"), 1u);
  EXPECT_EQ(counter("fetches"), 3u + 3u) << "the place in the fetch is taken all the same";
}

TEST_F(MetadataTest, TheLatchGoesWithTheInstructionsBehindAndIsEmptyAfterARedirect) {
  run_twice();
  EXPECT_EQ(driver->attached[1], 100u);
  EXPECT_EQ(driver->attached[2], 99u);
  EXPECT_EQ(driver->attached[4], 200u);
  EXPECT_EQ(driver->attached[5], 199u);
}

TEST_F(MetadataTest, WithoutMetadataInFrontNothingIsAttached) {
  program = program_of(6);
  program.code[0].metadata = true;
  program.code[0].payload = 50;
  FrontEndParameters p;
  p.stages = {ConfigNode::make_string("test-remembering")};
  build(p);
  redirect_at(10, 0);
  redirect_at(30, 3);
  run();
  EXPECT_EQ(driver->attached[1], 50u);
  EXPECT_EQ(driver->attached[5], 0u);
}

}  // namespace
}  // namespace heddle
