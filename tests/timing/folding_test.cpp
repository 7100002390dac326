// Tests the time cost of warp folding. With warp folding, a warp executes in two passes on half of the lanes.
// Every INT and FP operation passes two more stages. The second pass starts one initiation interval after the
// first pass, and no other instruction can use the dispatch port until then.

#include <gtest/gtest.h>

#include "tests/timing/timed_kernel.h"

namespace heddle::timing {
namespace {

// kStages: only the pipeline stages for lane shifting, without folding; kAlways: every operation folds.
const std::string kStages = "sm.folding.lane_shift=pack", kAlways = "sm.folding.policy=always";

Machine gtx480() { return on("fermi-gtx480"); }

TEST(Folding, TenDependentAdditions) {
  const std::string body = repeated(10, "add.u32 %r0, %r0, 1;");
  EXPECT_EQ(measure(gtx480(), body).cycles, 95u);
  EXPECT_EQ(measure(gtx480().with(kStages), body).cycles, 115u);
  EXPECT_EQ(measure(gtx480().with(kAlways), body).cycles, 125u);
  EXPECT_EQ(measure(gtx480().with(kAlways).with("sm.folding.extra_cycles=0"), body).cycles, 105u);
}

// Compares the cycles from one operation of a dependent chain to the next: without folding, with only the two
// additional stages, and with folding.
TEST(Folding, LinksOfAChain) {
  const auto link = [](const Machine& machine, const char* line) {
    const auto at = measure(machine, repeated(4, line)).of_warp(0);
    return at[2] - at[1];
  };
  for (const auto& [line, plain, stages, folded] : {std::tuple{"add.u32 %r0, %r0, 1;", 9u, 11u, 12u},
                                                    {"mul.lo.u32 %r0, %r0, 3;", 9u, 11u, 13u},
                                                    {"add.f32 %f0, %f0, 0f3F800000;", 9u, 11u, 12u},
                                                    {"ex2.approx.f32 %f0, %f0;", 13u, 13u, 13u}}) {
    EXPECT_EQ(link(gtx480(), line), plain) << line;
    EXPECT_EQ(link(gtx480().with(kStages), line), stages) << line;
    EXPECT_EQ(link(gtx480().with(kAlways), line), folded) << line;
  }
}

// Operations across lanes, such as shuffles, do not fold, but pass the two pipeline stages for lane shifting.
TEST(Folding, OperationsAcrossLanesDoNotFold) {
  const std::string body =
      repeated(4, "vote.sync.ballot.b32 %r0, %p0, 0xffffffff;\nsetp.eq.u32 %p0, %r0, 7;");
  const Measured folded = measure(gtx480().with(kAlways), body);
  EXPECT_EQ(
      folded.count("sm0.partition0.units.int0.folded") + folded.count("sm0.partition0.units.int1.folded"), 4u)
      << "the comparisons";
  const auto at = folded.of_warp(0);
  EXPECT_EQ(at[1] - at[0], 11u);
  EXPECT_EQ(at[2] - at[1], 12u);
}

TEST(Folding, IndependentAdditionsTakeTwoCyclesEach) {
  const std::string body = repeated(10, "add.u32 %r@, %r20, 1;");
  const Machine one = gtx480().with("sm.units.clusters=1");
  EXPECT_EQ(measure(one, body).cycles, 23u);
  EXPECT_EQ(measure(one.with(kStages), body).cycles, 25u);
  EXPECT_EQ(measure(one.with(kAlways), body).cycles, 35u);
  const Measured m = measure(one.with(kAlways), body);
  EXPECT_EQ(m.count("sm0.partition0.units.int0.folded"), 10u);
  EXPECT_EQ(m.count("sm0.partition0.units.int0.passes"), 20u);
  EXPECT_EQ(m.count("sm0.partition0.units.int0.operations"), 10u);
  EXPECT_EQ(m.count("sm0.partition0.units.int0.lane_operations"), 320u);
  EXPECT_EQ(m.count("sm0.partition0.units.int0.lanes_moved"), 160u);
  EXPECT_EQ(m.count("sm0.issue.source_words"), 10u) << "registers are read once";
  EXPECT_EQ(m.count("sm0.issue.result_words"), 10u);
}

// One cluster executes 40 instructions of two warps: two INT instructions, two FP instructions, and so on.
// The first one is dispatched in cycle 1. If a second pass occupies the dispatch port, one instruction is
// dispatched every two cycles, and the last starts in cycle 79. Otherwise one is dispatched in each cycle.
// The last, in cycle 40, starts in cycle 41, after the second pass of the FP instruction before it.
TEST(Folding, ASecondPassHoldsTheSharedPort) {
  const std::string body = repeated(10, "add.u32 %r@, %r20, 1;\nadd.f32 %f@, %f20, 0f3F800000;");
  const auto cycles = [&](const char* set) {
    Machine machine = on("fermi-gtx480", 64).with("sm.units.clusters=1").with(kAlways).with(set);
    return measure(machine, body).cycles;
  };
  const Cycle held = cycles("sm.folding.holds_port=true"), free = cycles("sm.folding.holds_port=false");
  const Cycle apart = cycles("sm.units.shared_dispatch_port=false");
  EXPECT_EQ(held - free, 79u - 41u);
  EXPECT_LE(apart, free);
}

// If only threads 0 to 15 are active and stay in their own lanes, a folded instruction needs two passes. If
// lane shifting packs the threads of every quad into one half of the lanes, one pass is enough.
TEST(Folding, OneHalfWithoutThreadsIsNotFolded) {
  const auto counts = [](int threads, const char* head) {
    Machine machine = on("fermi-gtx480", threads).with(kAlways).with("sm.units.clusters=1");
    std::string body = head;
    for (int i = 0; i < 10; ++i) body += "@%p0 add.u32 %r" + std::to_string(i) + ", %r20, 1;\n";
    return measure(machine, body);
  };
  const char* even = "mov.u32 %r21, %laneid;\nand.b32 %r21, %r21, 2;\nsetp.eq.u32 %p0, %r21, 0;\n";
  const char* all = "mov.u32 %r21, %laneid;\nand.b32 %r21, %r21, 2;\nsetp.lt.u32 %p0, %r21, 9;\n";
  EXPECT_EQ(counts(32, even).count("sm0.partition0.units.int0.folds_avoided"), 10u);
  EXPECT_EQ(counts(32, all).count("sm0.partition0.units.int0.folds_avoided"), 0u);
  EXPECT_EQ(counts(16, all).count("sm0.partition0.units.int0.folded"), 13u);
  EXPECT_EQ(counts(2, all).count("sm0.partition0.units.int0.folds_avoided"), 13u)
      << "a last warp of two threads";
}

// Two instructions start in every third cycle, so the pipeline has gaps of two cycles.
TEST(Bubbles, AreGapsBetweenStarts) {
  const Measured chain = measure(gtx480().with("sm.units.clusters=1"), repeated(5, "add.u32 %r0, %r0, 1;"));
  EXPECT_EQ(chain.count("sm0.partition0.units.int0.bubble_cycles_short"), 4u * 8);
  const Measured slow =
      measure(gtx480().with("sm.units.clusters=1").with("sm.units.int_add.latency_cycles=12"),
              repeated(5, "add.u32 %r0, %r0, 1;"));
  EXPECT_EQ(slow.count("sm0.partition0.units.int0.bubble_cycles_short"), 0u)
      << "11 cycles are no short bubble";
  const Measured dense = measure(gtx480().with("sm.units.clusters=1"), repeated(5, "add.u32 %r@, %r20, 1;"));
  EXPECT_EQ(dense.count("sm0.partition0.units.int0.bubble_cycles_short"), 0u);
}

TEST(Histogram, OfLanesThatExecute) {
  const Measured m = measure(on("fermi-gtx480", 32 + 20), repeated(3, "add.u32 %r@, %r20, 1;"));
  EXPECT_EQ(m.count("sm0.issue.lanes_32"), 4u) << "three additions and the exit";
  EXPECT_EQ(m.count("sm0.issue.lanes_17_24"), 4u);
  EXPECT_EQ(m.count("sm0.issue.lanes_1_4"), 0u);
}

}  // namespace
}  // namespace heddle::timing
