// Tests three features: the power states of register rows, the segments of lanes that an access drives, and
// the speeds and places of fast rows (Abdel-Majeed 2016, chapters 5 and 6). The tests expect exact cycles.

#include <gtest/gtest.h>

#include <map>

#include "models/banks/fast_mode.h"
#include "models/banks/lane_segments.h"
#include "models/banks/tri_modal.h"
#include "models/core/error.h"
#include "models/ports/register_map.h"

namespace heddle {
namespace {

struct Rows {
  explicit Rows(const TriModalParameters& parameters = {}, std::vector<int> depths = {4, 4})
      : context{std::move(depths), StatsScope(stats, "banks")}, power(parameters, context) {}
  static RegisterPlace at(std::uint32_t entry) { return {BankId(0), entry, true}; }
  void allocate(Cycle now, std::uint32_t count) {
    for (std::uint32_t e = 0; e < count; ++e) power.allocated(now, at(e));
  }
  std::uint64_t count(const std::string& name) const {
    for (const CounterInfo& info : stats.counters())
      if (info.name == name) return info.counter->value();
    throw Error("test", "no counter " + name);
  }
  /// Returns how many cycles rows were on, waking, drowsy and off. Counts from the last call of this function
  /// up to the cycle before `cycle`.
  std::vector<std::uint64_t> states(Cycle cycle) {
    power.settle(cycle);
    std::vector<std::uint64_t> now, difference;
    for (const char* name :
         {"on_entry_cycles", "wake_entry_cycles", "drowsy_entry_cycles", "off_entry_cycles"})
      now.push_back(count(name));
    before.resize(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) difference.push_back(now[i] - before[i]);
    before = now;
    for (const RegisterPower::Rule& rule : power.rules()) EXPECT_EQ(rule.left, rule.right) << rule.what;
    return difference;
  }
  StatsRegistry stats;
  RegisterPower::Context context;
  TriModal power;
  std::vector<std::uint64_t> before;
};
using States = std::vector<std::uint64_t>;

// `add r2, r1, 1` issues in cycle 5 and gets a collector in cycle 6. The rows of r1 and r2 wake in cycles 6
// to 8. r1 is read in cycle 9, and drowsy from cycle 10 on. r2 is on from cycle 9, is written in cycle 16,
// and drowsy from cycle 17 on.
TEST(TriModal, TraceOfOneAddition) {
  Rows rows;
  rows.allocate(0, 2);
  EXPECT_EQ(rows.states(6), (States{0, 0, 12, 36}));
  const auto r1 = Rows::at(0), r2 = Rows::at(1);
  EXPECT_EQ(rows.power.announced(6, r1, false), 9u);
  EXPECT_EQ(rows.power.announced(6, r2, true), 9u);
  for (Cycle cycle = 7; cycle <= 9; ++cycle) EXPECT_EQ(rows.states(cycle), (States{0, 2, 0, 6})) << cycle;
  EXPECT_EQ(rows.power.served(9, r1, false), 0u);
  EXPECT_EQ(rows.states(10), (States{2, 0, 0, 6}));
  for (Cycle cycle = 11; cycle <= 15; ++cycle) EXPECT_EQ(rows.states(cycle), (States{1, 0, 1, 6})) << cycle;
  EXPECT_EQ(rows.states(16), (States{1, 0, 1, 6}));
  EXPECT_EQ(rows.power.served(16, r2, true), 0u);
  EXPECT_EQ(rows.states(17), (States{1, 0, 1, 6}));
  EXPECT_EQ(rows.states(18), (States{0, 0, 2, 6}));
  EXPECT_EQ(rows.count("wake_ups"), 2u);
  EXPECT_EQ(rows.count("useless_wake_ups"), 0u);
}

TEST(TriModal, DrowsesBehindTheLastReader) {
  Rows rows;
  rows.allocate(0, 1);
  for (const Cycle now : {10, 12}) EXPECT_EQ(rows.power.announced(now, Rows::at(0), false), 13u);
  EXPECT_EQ(rows.power.served(13, Rows::at(0), false), 0u);
  EXPECT_EQ(rows.power.served(20, Rows::at(0), false), 0u);
  EXPECT_EQ(rows.power.announced(21, Rows::at(0), false), 24u) << "asleep from 21 on";
  EXPECT_EQ(rows.count("wake_ups"), 2u);
}

// One use of a row begins in the same cycle in which another use ends. The row must stay on, whichever call
// comes first.
TEST(TriModal, TheOrderWithinACycleDoesNotShow) {
  for (const bool served_first : {true, false}) {
    Rows rows;
    rows.allocate(0, 1);
    rows.power.announced(1, Rows::at(0), false);
    if (served_first) rows.power.served(5, Rows::at(0), false);
    rows.power.announced(5, Rows::at(0), false);
    if (!served_first) rows.power.served(5, Rows::at(0), false);
    EXPECT_EQ(rows.power.served(6, Rows::at(0), false), 0u);
    EXPECT_EQ(rows.states(8), (States{3, 3, 2, 7 * 8}));
    EXPECT_EQ(rows.count("wake_ups"), 1u);
  }
}

TEST(TriModal, TouchedAsleepIsLost) {
  for (const bool write : {false, true}) {
    Rows rows;
    rows.allocate(0, 2);
    EXPECT_EQ(rows.power.served(4, Rows::at(3), write), kAllLanes) << "off";
    rows.power.announced(5, Rows::at(0), write);
    EXPECT_EQ(rows.power.served(7, Rows::at(0), write), kAllLanes) << "waking";
    rows.power.announced(10, Rows::at(1), write);
    EXPECT_EQ(rows.power.served(13, Rows::at(1), write), 0u);
  }
}

TEST(TriModal, AWakeUpForAWordThatWasAnsweredAboveIsUseless) {
  Rows rows;
  rows.allocate(0, 1);
  rows.power.announced(2, Rows::at(0), false);
  rows.power.dropped(3, Rows::at(0), false);
  EXPECT_EQ(rows.states(10), (States{0, 2, 8, 70}));
  EXPECT_EQ(rows.count("wake_ups"), 1u);
  EXPECT_EQ(rows.count("useless_wake_ups"), 1u);
}

// A row that is freed while it wakes is off from the next cycle on and keeps no value.
TEST(TriModal, ReleaseOfAWakingRow) {
  Rows rows;
  rows.allocate(0, 1);
  rows.power.announced(2, Rows::at(0), true);
  rows.power.freed(3, Rows::at(0));
  EXPECT_EQ(rows.states(4), (States{0, 2, 2, 28}));
  EXPECT_EQ(rows.states(6), (States{0, 0, 0, 16}));
  rows.power.dropped(6, Rows::at(0), true);
  rows.power.allocated(7, Rows::at(0));
  EXPECT_EQ(rows.states(9), (States{0, 0, 2, 22}));
}

// With a look-ahead of two cycles, a row begins to wake two cycles before the announcement of its next use.
// If its last use ends within these two cycles, the row stays on and does not become drowsy.
TEST(TriModal, LookAhead) {
  TriModalParameters parameters;
  parameters.look_ahead_cycles = 2;
  Rows rows(parameters);
  rows.allocate(0, 1);
  EXPECT_EQ(rows.power.announced(10, Rows::at(0), false), 11u);
  EXPECT_EQ(rows.power.served(11, Rows::at(0), false), 0u);
  EXPECT_EQ(rows.states(12), (States{1, 3, 8, 84}));
  rows.power.announced(13, Rows::at(0), false);
  EXPECT_EQ(rows.power.served(14, Rows::at(0), false), 0u);
  EXPECT_EQ(rows.states(15), (States{3, 0, 0, 21}));
  EXPECT_EQ(rows.count("wake_ups"), 1u);
  EXPECT_EQ(rows.count("kept_awake"), 1u);
}

TEST(TriModal, RowsOfResultsThatWakeAtTheWrite) {
  TriModalParameters parameters;
  parameters.outputs = "at-write";
  Rows rows(parameters);
  rows.allocate(0, 1);
  EXPECT_EQ(rows.power.announced(5, Rows::at(0), true), kNever);
  EXPECT_EQ(rows.states(15), (States{0, 0, 15, 105}));
  EXPECT_EQ(rows.power.arrives(15, Rows::at(0), true), 18u);
  EXPECT_EQ(rows.power.served(18, Rows::at(0), true), 0u);
  EXPECT_EQ(rows.states(20), (States{1, 3, 1, 35}));
}

// A launch ends in cycle 19, while the row of a late result wakes. The cycles of all states must still add up
// to the cycles of the launch.
TEST(TriModal, ALaunchThatEndsBeforeItsLastWriteIsServed) {
  Rows rows;
  rows.allocate(0, 1);
  rows.power.arrives(19, Rows::at(0), true);
  EXPECT_EQ(rows.power.served(22, Rows::at(0), true), 0u);
  rows.power.announced(24, Rows::at(0), false);
  rows.power.dropped(24, Rows::at(0), false);
  const States states = rows.states(20);
  EXPECT_EQ(states[0] + states[1] + states[2] + states[3], 8u * 20);
  rows.power.begins(30);
  EXPECT_EQ(rows.states(40), (States{0, 0, 10, 70}));
}

TEST(TriModal, UnallocatedRowsMayStayDrowsy) {
  TriModalParameters parameters;
  parameters.unallocated = "drowsy";
  Rows rows(parameters);
  EXPECT_EQ(rows.states(10), (States{0, 0, 80, 0}));
}

// An access drives all lanes of every segment that has an active lane. The nine active lanes of the mask
// 0x0000ff01 lie in three segments of 4 lanes, or in two segments of 8 lanes.
TEST(LaneSegments, RoundedToSegments) {
  const std::map<int, LaneMask> driven = {{1, 0x0000ff01}, {4, 0x0000ff0f}, {8, 0x0000ffff}, {32, kAllLanes}};
  for (const auto& [segment, lanes] : driven) {
    StatsRegistry stats;
    BankParameters parameters;
    parameters.lane_gating = "active-mask";
    parameters.segment_lanes = segment;
    LaneSegments segments(parameters, true, 2, StatsScope(stats, "banks"));
    EXPECT_EQ(segments.written(0x0000ff01), lanes) << segment;
    EXPECT_EQ(stats.counters()[1].counter->value(), static_cast<std::uint64_t>(count_lanes(lanes)));
    EXPECT_EQ(segments.written(0), 0u);
  }
}

// A read for a collector must drive the lanes of the collector's instruction. An access that a stage makes
// for itself must drive the lanes of its own mask.
TEST(LaneSegments, MasksByCollector) {
  StatsRegistry stats;
  BankParameters parameters;
  parameters.lane_gating = "active-mask";
  LaneSegments segments(parameters, true, 2, StatsScope(stats, "banks"));
  const isa::Instruction instruction;
  for (const std::uint32_t c : {0u, 1u}) {
    RegisterPrepare note;
    note.collector = CollectorId(c);
    RegisterAccess prepare;
    prepare.prepare = &note;
    prepare.mask = c == 0 ? 0x0f : 0xf0;
    segments.announced(prepare);
  }
  RegisterAccess read;
  read.instruction = &instruction;
  read.mask = 0;
  read.source = 1;
  EXPECT_EQ(segments.read(read), 0xf0u);
  read.source = 0;
  EXPECT_EQ(segments.read(read), 0x0fu);
  read.instruction = nullptr;
  read.mask = 0x33;
  EXPECT_EQ(segments.read(read), 0x33u);
}

TEST(LaneSegments, OtherSegmentsAndSubBanksAreRefused) {
  StatsRegistry stats;
  BankParameters parameters;
  parameters.lane_gating = "active-mask";
  parameters.segment_lanes = 5;
  EXPECT_THROW(LaneSegments(parameters, true, 2, StatsScope(stats, "banks")), Error);
  parameters.segment_lanes = 8;
  EXPECT_THROW(LaneSegments(parameters, false, 2, StatsScope(stats, "banks")), Error);
}

// In the high mode, accesses to fast rows are faster than in the low mode. Epochs have 50 cycles; the first
// one is in the high mode. After an epoch with 85 issues, the next one must be in the high mode; after 84
// issues or none, in the low mode.
TEST(FastMode, EpochsOfFewIssuesAreLow) {
  for (const int issues : {84, 85}) {
    StatsRegistry stats;
    PartitionParameters parameters;
    parameters.mode = "adaptive";
    FastMode mode(parameters, StatsScope(stats, "banks"));
    for (int i = 0; i < issues; ++i) mode.issued(static_cast<Cycle>(i / 2));
    EXPECT_FALSE(mode.low(49));
    EXPECT_EQ(mode.low(50), issues == 84);
    EXPECT_TRUE(mode.low(100));
    for (int i = 0; i < 100; ++i) mode.issued(301);
    EXPECT_TRUE(mode.low(349));
    EXPECT_FALSE(mode.low(350));
    EXPECT_TRUE(mode.low(400));
    mode.settle(410);
    EXPECT_EQ(stats.counters()[0].counter->value(), (issues == 84 ? 300u : 250u) + 10u);
  }
}

BankParameters kepler_banks() {
  BankParameters banks;
  banks.count = 24;
  banks.layout = "wshift";
  banks.uneven_entries.assign(24, 85);
  for (std::size_t b = 0; b < 8; ++b) banks.uneven_entries[b] = 86;
  banks.partition.kind = "fast-slow";
  return banks;
}

// 64 warps with four fast registers each need 256 fast rows. They must be spread over the 24 banks: 16 banks
// with 11 fast rows, eight banks with 10.
TEST(FastRows, SpreadOverUnevenBanks) {
  const RegisterMap map(kepler_banks(), 64);
  for (std::uint32_t b = 0; b < 24; ++b) EXPECT_EQ(map.fast_rows(BankId(b)), b < 16 ? 11u : 10u) << b;
}

// The first four registers of every warp lie in fast rows, all other registers in slow rows. All registers
// lie in their home banks as long as these banks have free rows.
TEST(FastRows, FirstRegistersOfAllWarps) {
  RegisterMap map(kepler_banks(), 64);
  for (std::uint32_t w = 0; w < 64; ++w) map.bind_warp(WarpId(w), 28);
  for (std::uint32_t w = 0; w < 64; ++w)
    for (std::uint32_t r = 0; r < 28; ++r)
      EXPECT_EQ(map.is_fast(map.place_of(WarpId(w), RegId(r))), r < 4) << w << " " << r;
  EXPECT_EQ(map.place_of(WarpId(0), RegId(5)).bank.value, 5u);
}

// A CTA is admitted if fast and slow rows together are enough. If all slow rows are taken, other registers
// must get fast rows too.
TEST(FastRows, ServeWhenTheSlowOnesAreTaken) {
  RegisterMap map(kepler_banks(), 64);
  for (std::uint32_t w = 0; w < 32; ++w) map.bind_warp(WarpId(w), 64);
  EXPECT_EQ(map.free_entries(), 0u);
  int fast = 0;
  for (std::uint32_t w = 0; w < 32; ++w)
    for (std::uint32_t r = 4; r < 64; ++r) fast += map.is_fast(map.place_of(WarpId(w), RegId(r)));
  EXPECT_EQ(fast, 256 - 32 * 4);
  for (std::uint32_t w = 0; w < 32; ++w) map.release_warp(WarpId(w));
  EXPECT_EQ(map.free_entries(), 2048u);
  map.bind_warp(WarpId(40), 8);
  for (std::uint32_t r = 0; r < 8; ++r) EXPECT_EQ(map.is_fast(map.place_of(WarpId(40), RegId(r))), r < 4);
}

}  // namespace
}  // namespace heddle
