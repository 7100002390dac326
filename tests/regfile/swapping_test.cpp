// Tests pilot warps, swapping tables and moves of resident warps' registers (Abdel-Majeed 2016, 6.3): which
// registers exchange rows, and that each value exists exactly once at any time.

#include <gtest/gtest.h>

#include <map>

#include "models/banks/i_bank_arbiter.h"
#include "models/core/error.h"
#include "models/stages/pilot_profile.h"
#include "models/stages/swapping_table.h"
#include "tests/regfile/stage_driver.h"

namespace heddle {
namespace {

std::vector<std::uint8_t> top_of(const std::map<std::uint32_t, int>& counts, int bits = 16) {
  PilotProfile profile({63, bits, 4});
  for (const auto& [reg, count] : counts)
    for (int i = 0; i < count; ++i) profile.count(RegId(reg));
  return profile.top();
}

using Swaps = std::vector<RegisterSwap>;

// Abdel-Majeed 2016, Fig. 6.6. The last line of the figure, R10 -> R2, is a misprint for R10 -> R3.
TEST(Swaps, ByRankOutsideAndNumberInside) {
  EXPECT_EQ(swaps_for(top_of({{7, 90}, {12, 80}, {4, 70}, {10, 60}, {1, 50}}), 4),
            (Swaps{{7, 0}, {12, 1}, {4, 2}, {10, 3}}));
  EXPECT_EQ(swaps_for(top_of({{7, 90}, {2, 80}, {12, 70}, {4, 60}, {0, 59}}), 4),
            (Swaps{{7, 0}, {12, 1}, {4, 3}}));
}

TEST(Swaps, OfEqualCountsTheLowerNumber) {
  EXPECT_EQ(top_of({{9, 5}, {6, 5}, {8, 5}, {7, 5}, {5, 5}}), (std::vector<std::uint8_t>{5, 6, 7, 8}));
  EXPECT_EQ(top_of({{9, 5}, {6, 3}}), (std::vector<std::uint8_t>{9, 6})) << "what nobody accessed stays";
}

TEST(Swaps, CountersSaturateAndThoseAboveAreNotCounted) {
  EXPECT_EQ(top_of({{9, 900}, {6, 300}, {70, 5000}}, 8), (std::vector<std::uint8_t>{6, 9}));
}

TEST(SwappingTable, ARegisterWithoutAnEntryStays) {
  const SwappingTable table({{7, 0}, {12, 1}, {4, 3}});
  const std::map<std::uint32_t, std::uint32_t> rows = {{7, 0}, {0, 7}, {12, 1}, {1, 12},
                                                       {4, 3}, {3, 4}, {2, 2},  {20, 20}};
  for (const auto& [home, row] : rows) EXPECT_EQ(table.row_of(RegId(home)).value, row) << home;
}

const std::string kPartition = R"({"ports": "1r1w", "partition": {"kind": "fast-slow"}})";

// Warp 0 is the pilot, whose accesses are counted: three of r7, two of r5, two of r6, one of r9. The pilot
// ends in cycle 60. Warps 1 and 2 begin together with the pilot. Warp 3 begins after the pilot's end.
struct PilotRig : StageRig {
  explicit PilotRig(const std::string& stage, std::vector<std::string> above = {},
                    const std::string& banks = kPartition)
      : StageRig(
            [&] {
              above.push_back(stage);
              return above;
            }(),
            banks),
        swapping(above.size() - 1) {
    program.kernel = "k";
    script().call(1, [this] { this->stage(swapping).kernel_begins({KernelId(0), &program, 1}); });
    script().call(2, [this] {
      for (std::uint32_t w = 0; w < 3; ++w) begin(w);
    });
    Cycle cycle = 10;
    for (const int reg : {7, 7, 7, 5, 5, 6, 6, 9}) read(cycle += 2, 0, reg);
    for (int w = 1; w < 3; ++w)
      for (int r = 0; r < 12; ++r) write(40, w, r, static_cast<std::uint32_t>(100 * w + r));
    script().call(60, [this] { end_warp(0); });
    script().call(70, [this] { begin(3); });
    for (int r = 0; r < 12; ++r) write(72, 3, r, static_cast<std::uint32_t>(300 + r));
  }
  void begin(std::uint32_t warp) {
    place_warp(warp);
    stage(swapping).warp_begins({WarpId(warp), KernelId(0), &program, kRegisters, kAllLanes, CtaSlot(0)});
  }
  void watch(Cycle from, Cycle to, int warps = 3) {
    for (Cycle cycle = from; cycle < to; ++cycle)
      script().call(cycle, [this, cycle, warps] {
        for (int w = 1; w <= warps; ++w)
          for (int r = 0; r < 12; ++r)
            EXPECT_EQ(value(0, w, r), static_cast<std::uint32_t>(100 * w + r)) << "cycle " << cycle;
      });
  }
  std::size_t swapping;
  isa::Program program;
};

// Warp 0 is the pilot, whose accesses choose the registers that get fast rows. A warp that begins after the
// pilot's end reads r7, r5, r6 and r9 from fast rows, r0 to r3 from slow rows. Earlier warps' registers stay
// in their rows.
TEST(Swapping, ATableHoldsForWarpsPlacedLater) {
  PilotRig rig("\"swapping\"");
  for (const int reg : {7, 5, 6, 9, 0, 1, 2, 3}) {
    rig.read(100, 3, reg);
    rig.read(100, 1, reg);
  }
  rig.watch(110, 112);
  rig.run();
  EXPECT_EQ(rig.count("swapping.pilots"), 1u);
  EXPECT_EQ(rig.count("swapping.swaps"), 4u);
  EXPECT_EQ(rig.count("swapping.pilot_accesses"), 8u);
  EXPECT_EQ(rig.count("swapping.pilot_cycles"), 58u);
  EXPECT_EQ(rig.count("swapping.lookups"), 12u + 8u) << "of warp 3 alone";
  EXPECT_EQ(rig.count("swapping.bypassed"), 8u + 24u + 8u);
  EXPECT_EQ(rig.count("swapping.swapped"), 8u + 8u);
  EXPECT_EQ(rig.count("banks.fast_high_reads"), 4u + 4u);
  EXPECT_EQ(rig.count("banks.slow_reads"), 8u + 4u + 4u);
  EXPECT_EQ(rig.count("banks.fast_high_writes"), 12u);
}

// Each of the two resident warps exchanges four pairs of rows through the banks. An exchange takes two
// reads and two writes. In every cycle, a look-up must find each value. While registers of a warp move,
// accesses of this warp must wait.
TEST(Swapping, ValuesOfResidentWarpsMove) {
  PilotRig rig(R"({"type": "swapping", "remap": "migrate"})");
  rig.watch(55, 70, 2);
  rig.watch(90, 160);
  std::vector<const StageDriver::Line*> reads;
  for (int r = 0; r < 12; ++r) reads.push_back(&rig.read(62, 1, r));
  for (const int reg : {7, 5, 6, 9}) rig.read(170, 2, reg);
  rig.run();
  EXPECT_EQ(rig.count("swapping.moved_warps"), 2u);
  EXPECT_EQ(rig.count("swapping.swap_reads"), 16u);
  EXPECT_EQ(rig.count("swapping.swap_moves"), 16u);
  EXPECT_EQ(rig.count("swapping.dropped_moves"), 0u);
  EXPECT_GT(rig.count("swapping.move_refusals"), 0u);
  for (std::uint32_t r = 0; r < 12; ++r) EXPECT_EQ(reads[r]->lane(0), 100 + r);
  EXPECT_EQ(rig.count("banks.fast_high_reads"), 8u + 4u + 4u) << "moves, warp 1's and warp 2's";
}

// A read that moves a value out of its row must wait for older reads of the row. The older reads may in turn
// wait for the port of their collector.
TEST(Swapping, ATakingReadStaysBehindOlderReads) {
  WaitingAccess queue[3];
  for (WaitingAccess& access : queue) access.entry = 5;
  EXPECT_FALSE(overtakes(queue, 2));
  queue[2].takes = true;
  EXPECT_TRUE(overtakes(queue, 2));
  queue[1].entry = queue[0].entry = 4;
  EXPECT_FALSE(overtakes(queue, 2));
}

// A warp ends while its registers change rows, and another warp begins in its slot. The stage must drop the
// values that are being moved.
class AWarpThatEnds : public testing::TestWithParam<Cycle> {};

TEST_P(AWarpThatEnds, WhileItMoves) {
  const Cycle end = GetParam();
  PilotRig rig(R"({"type": "swapping", "remap": "migrate"})");
  rig.script().call(end, [&] { rig.end_warp(1); });
  rig.script().call(end + 1, [&] { rig.begin(1); });
  for (int r = 0; r < 12; ++r) rig.write(end + 2, 1, r, static_cast<std::uint32_t>(100 + r));
  rig.watch(150, 152);
  rig.run();
  EXPECT_EQ(rig.count("swapping.swap_reads"),
            rig.count("swapping.swap_moves") + rig.count("swapping.dropped_moves"));
}

// A warp ends while its registers move, and no new warp begins in its slot. One read of this move still waits
// in a bank, because there are few banks and reads of another warp occupy them. When the bank serves this
// read, it must not fill the row with poison, because the row may belong to another warp by then.
TEST_P(AWarpThatEnds, WhileItMovesAndItsPlaceStaysEmpty) {
  const Cycle end = GetParam();
  PilotRig rig(R"({"type": "swapping", "remap": "migrate"})", {},
               R"({"count": 2, "ports": "1r1w", "partition": {"kind": "fast-slow"}})");
  rig.script().call(61, [&] { rig.begin(0); });
  for (int r = 0; r < 12; ++r) rig.write(61, 0, r, static_cast<std::uint32_t>(500 + r));
  for (int r = 0; r < 12; ++r) rig.read(end - 2, 2, r);
  rig.script().call(end, [&] { rig.end_warp(1); });
  rig.script().call(150, [&] {
    for (int r = 0; r < 12; ++r) {
      EXPECT_EQ(rig.value(0, 0, r), static_cast<std::uint32_t>(500 + r)) << r;
      EXPECT_EQ(rig.value(0, 2, r), static_cast<std::uint32_t>(200 + r)) << r;
    }
  });
  rig.run();
}

INSTANTIATE_TEST_SUITE_P(Swapping, AWarpThatEnds, testing::Range<Cycle>(61, 100));

TEST(Swapping, UnderACache) {
  PilotRig rig(R"({"type": "swapping", "remap": "migrate"})",
               {R"({"type": "register-cache", "entries": 6})"});
  rig.watch(90, 150);
  for (int r = 0; r < 12; ++r) rig.write(100, 2, r, static_cast<std::uint32_t>(200 + r));
  rig.run();
  EXPECT_EQ(rig.count("swapping.moved_warps"), 2u);
}

TEST(Swapping, LookUpsTakeTime) {
  PilotRig rig(R"({"type": "swapping", "lookup_cycles": 2})");
  const StageDriver::Line& swapped = rig.read(100, 3, 7);
  const StageDriver::Line& plain = rig.read(120, 1, 0);
  rig.run();
  EXPECT_EQ(swapped.data_at() - 100, plain.data_at() - 120 + 2);
}

TEST(Swapping, AStaticProfileNeedsThePass) {
  PilotRig rig(R"({"type": "swapping", "profile": "static"})");
  EXPECT_THROW(rig.run(), Error);
}

TEST(Swapping, AStaticProfileHoldsFromTheFirstWarpOn) {
  PilotRig rig(R"({"type": "swapping", "profile": "static"})");
  rig.program.notes.attach({"register-ranks", {9, 2, 8}});
  for (const int reg : {9, 8, 2, 0, 1}) rig.read(100, 1, reg);
  rig.watch(150, 151);
  rig.run();
  EXPECT_EQ(rig.count("swapping.pilots"), 0u);
  EXPECT_EQ(rig.count("banks.fast_high_reads"), 3u + 1u) << "and r9 of the first warp";
}

}  // namespace
}  // namespace heddle
