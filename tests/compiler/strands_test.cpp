// Tests where strands end, with Gebhart 2012, Fig. 9, and Bailey 2018, III-B. Expected results were derived
// by hand. The code of Fig. 9 is reconstructed from section 5.1.

#include <gtest/gtest.h>

#include "tests/compiler/annotated_kernel.h"
#include "tests/compiler/level_proofs.h"

namespace heddle::compiler {
namespace {

using test::AnnotatedKernel;

const std::vector<std::string> kGebhart = {R"("strands")"};
const std::vector<std::string> kBailey = {R"({"type": "strands", "rule": "bailey"})"};

constexpr const char* kSetUp =
    "mov.u32 %r0, %tid.x;\nld.param.u64 %d0, [in];\nld.param.u64 %d1, [out];\nmov.u32 %r1, 5;\n";

// Fig. 9a: "Strand 1 terminates due to a dependence on a long-latency operation, which will cause the warp to
// be descheduled. The other strand endpoints are due to the presence of a backwards branch. At these strand
// endpoints, the warp need not be descheduled."
TEST(StrandsGebhart, Figure9a) {
  const AnnotatedKernel k(
      std::string(kSetUp) +
          "LOAD: ld.global.u32 %r2, [%d0];\nMORE: add.u32 %r3, %r1, 1;\n"
          "USE: add.u32 %r4, %r2, %r3;\nBEFORE: add.u32 %r5, %r4, 1;\n"
          "LOOP: add.u32 %r4, %r4, %r5;\nsetp.lt.u32 %p0, %r4, 900;\nBACK: @%p0 bra LOOP;\n"
          "AFTER: st.global.u32 [%d1], %r4;",
      kGebhart);
  EXPECT_EQ(k.strand("LOAD"), 0);
  EXPECT_EQ(k.strand("MORE"), 0);
  EXPECT_EQ(k.end("MORE"), "ends waits");
  EXPECT_EQ(k.strand("USE"), 1);
  EXPECT_EQ(k.end("BEFORE"), "ends");
  EXPECT_EQ(k.strand("LOOP"), 2);
  EXPECT_EQ(k.strand("BACK"), 2);
  EXPECT_EQ(k.end("BACK"), "ends");
  EXPECT_EQ(k.strand("AFTER"), 3);
  EXPECT_EQ(k.end("LOAD"), "");
  EXPECT_EQ(k.end("LOOP"), "");
}

// Fig. 9b: BB1 starts a load. Before BB4, only BB3 needs the loaded value. At BB4, the compiler cannot know
// whether the load is outstanding; "we resolve the uncertainty by inserting an extra strand endpoint at the
// start of BB4". Here, BB2 and BB3 are the two sides of a branch, and the endpoint is after both.
TEST(StrandsGebhart, Figure9bWithTwoSides) {
  const AnnotatedKernel k(
      std::string(kSetUp) +
          "setp.lt.u32 %p0, %r0, 7;\nBB1: ld.global.u32 %r2, [%d0];\n@%p0 bra BB3;\n"
          "BB2: add.u32 %r3, %r1, 1;\nBB2END: bra BB4;\n"
          "BB3: mov.u32 %r5, 1;\nBB3USE: add.u32 %r3, %r2, %r5;\nBB3END: mov.u32 %r5, 3;\n"
          "BB4: add.u32 %r4, %r3, 1;\nBB4USE: add.u32 %r4, %r4, %r2;\n"
          "st.global.u32 [%d1], %r4;",
      kGebhart);
  EXPECT_EQ(k.end_before("BB3USE"), "ends waits");
  EXPECT_EQ(k.end("BB2END"), "ends waits");
  EXPECT_EQ(k.end("BB3END"), "ends waits");
  EXPECT_EQ(k.strand("BB4"), k.strand("BB4USE"));
  EXPECT_NE(k.strand("BB4"), k.strand("BB3"));
  EXPECT_NE(k.strand("BB4"), k.strand("BB2"));
  EXPECT_EQ(k.end("BB4"), "");
}

// As Fig. 9b of Gebhart 2012, but one path goes directly from the branch to BB4. To end the strand before
// BB4 on this path, an endpoint at the branch would be necessary. It would also separate BB3 from the code
// before the branch. Instead, the strand ends within BB4, before the first use of the loaded value. No
// value may reach BB4 in an entry of the operand file.
TEST(StrandsGebhart, Figure9bWithOneSide) {
  const AnnotatedKernel k(
      std::string(kSetUp) +
          "setp.lt.u32 %p0, %r0, 7;\nBB1: ld.global.u32 %r2, [%d0];\nBRANCH: @%p0 bra BB4;\n"
          "BB3: mov.u32 %r3, 1;\nBB3USE: add.u32 %r3, %r2, %r1;\n"
          "BB4: add.u32 %r4, %r1, 1;\nBB4USE: add.u32 %r4, %r4, %r2;\n"
          "st.global.u32 [%d1], %r4;",
      kGebhart);
  EXPECT_EQ(k.end("BRANCH"), "");
  EXPECT_EQ(k.strand("BB3"), k.strand("BB1"));
  EXPECT_EQ(k.end("BB3"), "ends waits");
  EXPECT_NE(k.strand("BB4"), k.strand("BB1"));
  EXPECT_NE(k.strand("BB4"), k.strand("BB3USE"));
  EXPECT_EQ(k.end("BB4"), "ends waits");
  EXPECT_NE(k.strand("BB4USE"), k.strand("BB4"));
}

// A strand may depend on several loads of earlier strands. The warp waits once for all of these loads
// (Gebhart 2012, 5.1).
TEST(StrandsGebhart, OneWaitForSeveralLoads) {
  const std::string body =
      std::string(kSetUp) +
      "ld.global.u32 %r2, [%d0];\nLOAD2: ld.global.u32 %r3, [%d0+4];\n"
      "USE: add.u32 %r4, %r2, %r1;\nUSE2: add.u32 %r5, %r4, %r3;\nst.global.u32 [%d1], %r5;";
  const AnnotatedKernel gebhart(body, kGebhart);
  EXPECT_EQ(gebhart.end("LOAD2"), "ends waits");
  EXPECT_EQ(gebhart.strand("USE2"), gebhart.strand("USE"));
  // Bailey 2018: a strand ends before each instruction that may be the first to depend on a long-latency
  // operation, here before USE and before USE2.
  const AnnotatedKernel bailey(body, kBailey);
  EXPECT_EQ(bailey.end("LOAD2"), "ends");
  EXPECT_EQ(bailey.end("USE"), "ends");
  EXPECT_EQ(bailey.strand("USE2"), bailey.strand("USE") + 1);
}

TEST(Strands, BarriersAndFencesEndThem) {
  for (const auto& passes : {kGebhart, kBailey}) {
    const AnnotatedKernel k(std::string(kSetUp) +
                                "A: add.u32 %r2, %r1, 1;\nBAR: bar.sync 0;\nB: add.u32 %r3, %r2, 1;\n"
                                "FENCE: membar.gl;\nC: st.shared.u32 [0x1000000], %r3;",
                            passes);
    EXPECT_EQ(k.end("BAR"), "ends");
    EXPECT_EQ(k.end("FENCE"), "ends");
    EXPECT_EQ(k.strand("B"), k.strand("A") + 1);
    EXPECT_EQ(k.strand("C"), k.strand("B") + 1);
  }
}

TEST(Strands, WhatIsLong) {
  const auto ends = [](const std::string& producer) {
    return AnnotatedKernel(std::string(kSetUp) + "P: " + producer + ";\nUSE: add.u32 %r4, %r2, 1;\n" +
                               "st.shared.u32 [0x1000000], %r4;",
                           kGebhart)
        .end("P");
  };
  EXPECT_EQ(ends("ld.shared.u32 %r2, [0x1000000]"), "");
  EXPECT_EQ(ends("sin.approx.f32 %r2, %r1"), "");
  EXPECT_EQ(ends("div.u32 %r2, %r1, %r0"), "");
  EXPECT_EQ(ends("ld.global.u32 %r2, [%d0]"), "ends waits");
  EXPECT_EQ(ends("ld.u32 %r2, [%d0]"), "ends waits");
  EXPECT_EQ(ends("atom.global.add.u32 %r2, [%d0], 1"), "ends waits");
  EXPECT_EQ(ends("atom.shared.add.u32 %r2, [0x1000000], 1"), "");
}

// An instruction that overwrites the result of an outstanding load also waits, because the scoreboard keeps
// the order of writes.
TEST(Strands, OverwritingAPendingResultWaits) {
  const AnnotatedKernel k(std::string(kSetUp) +
                              "LOAD: ld.global.u32 %r2, [%d0];\nWRITE: mov.u32 %r2, 4;\n"
                              "st.shared.u32 [0x1000000], %r2;",
                          kGebhart);
  EXPECT_EQ(k.end("LOAD"), "ends waits");
}

// While the lanes on one side of a divergent branch wait for a load, the warp leaves the active set. The
// lanes on the other side and at the join then lose their entries of the operand file. A strand must
// therefore begin at the other side, and a further strand at the join.
TEST(Strands, AStrandEndOnOneSideConcernsAllLanes) {
  const std::string body =
      "SIDE1: ld.global.u32 %r2, [%d0];\nUSE: add.u32 %r3, %r2, 1;\nbra JOIN;\n"
      "SIDE2: add.u32 %r3, %r1, 2;\nJOIN: st.shared.u32 [0x1000000], %r3;";
  const AnnotatedKernel divergent(
      std::string(kSetUp) + "setp.lt.u32 %p0, %r0, 7;\nBRANCH: @%p0 bra SIDE2;\n" + body, kGebhart);
  EXPECT_EQ(divergent.end("BRANCH"), "");
  EXPECT_EQ(divergent.strand("SIDE1"), divergent.strand("BRANCH"));
  EXPECT_NE(divergent.strand("SIDE2"), divergent.strand("BRANCH"));
  EXPECT_NE(divergent.strand("JOIN"), divergent.strand("SIDE2"));
  EXPECT_NE(divergent.strand("JOIN"), divergent.strand("USE"));
  const AnnotatedKernel uniform(
      std::string(kSetUp) + "mov.u32 %r6, %ctaid.x;\nsetp.lt.u32 %p0, %r6, 7;\nBRANCH: @%p0 bra SIDE2;\n" +
          body,
      kGebhart);
  EXPECT_EQ(uniform.strand("SIDE2"), uniform.strand("BRANCH")) << "no lane waits anywhere";
  EXPECT_NE(uniform.strand("JOIN"), uniform.strand("SIDE2"));
}

// A warp has one scoreboard, so the second side of a branch may have to wait for a load of the first side.
TEST(Strands, TheOtherSideWaitsForTheFirstSidesLoads) {
  const AnnotatedKernel k(std::string(kSetUp) +
                              "setp.lt.u32 %p0, %r0, 7;\nmov.u32 %r2, 1;\nBRANCH: @%p0 bra SIDE2;\n"
                              "SIDE1: ld.global.u32 %r2, [%d0];\nEND1: bra JOIN;\n"
                              "SIDE2: add.u32 %r3, %r2, 2;\nJOIN: st.shared.u32 [0x1000000], %r1;",
                          kGebhart);
  EXPECT_EQ(k.end("END1"), "ends waits");
  EXPECT_NE(k.strand("SIDE2"), k.strand("BRANCH"));
}

// A block may execute twice, once for the lanes of each side of a branch. Such a block must begin a strand
// (Bailey 2018).
TEST(StrandsBailey, BlocksThatRunTwice) {
  const std::string body = std::string(kSetUp) +
                           "setp.lt.u32 %p0, %r0, 7;\nsetp.lt.u32 %p1, %r0, 3;\nBRANCH: @%p0 bra SIDE2;\n"
                           "SIDE1: @%p1 bra TWICE;\nbra JOIN;\n"
                           "SIDE2: mov.u32 %r3, 1;\n@%p1 bra JOIN;\n"
                           "TWICE: add.u32 %r1, %r1, 2;\nJOIN: st.shared.u32 [0x1000000], %r1;";
  const AnnotatedKernel bailey(body, kBailey);
  EXPECT_EQ(bailey.strand("SIDE1"), bailey.strand("BRANCH"));
  EXPECT_NE(bailey.strand("TWICE"), bailey.strand("BRANCH"));
  const AnnotatedKernel gebhart(body, kGebhart);
  EXPECT_EQ(gebhart.strand("TWICE"), gebhart.strand("BRANCH"));
}

// Limit study (Gebhart 2012, 8.2): a loop without long-latency instructions belongs to the surrounding
// strand.
TEST(Strands, LoopsWithinAStrand) {
  const std::vector<std::string> keep = {R"({"type": "strands", "backward_branches": false})"};
  const auto loop = [](const std::string& inside) {
    return std::string(kSetUp) + "BEFORE: mov.u32 %r4, 1;\nLOOP: add.u32 %r4, %r4, %r1;\n" + inside +
           "setp.lt.u32 %p0, %r4, 900;\nBACK: @%p0 bra LOOP;\nAFTER: st.shared.u32 [0x1000000], %r4;";
  };
  const AnnotatedKernel kept(loop(""), keep);
  EXPECT_EQ(kept.strand("LOOP"), kept.strand("BEFORE"));
  EXPECT_EQ(kept.strand("AFTER"), kept.strand("BEFORE"));
  EXPECT_EQ(kept.end("BACK"), "");
  const AnnotatedKernel cut(loop("ld.global.u32 %r5, [%d0];\nadd.u32 %r4, %r4, %r5;\n"), keep);
  EXPECT_NE(cut.strand("LOOP"), cut.strand("BEFORE"));
  EXPECT_EQ(cut.end("BACK"), "ends");
}

// Limit study (Gebhart 2012, 8.3): if entries of the operand file survive descheduling, loads do not end strands.
TEST(Strands, LoadsThatEndNothing) {
  const AnnotatedKernel k(
      std::string(kSetUp) +
          "LOAD: ld.global.u32 %r2, [%d0];\nUSE: add.u32 %r4, %r2, 1;\nst.global.u32 [%d1], %r4;",
      {R"({"type": "strands", "long_latency": false})"});
  EXPECT_EQ(k.end("LOAD"), "");
  EXPECT_EQ(k.strand("USE"), k.strand("LOAD"));
}

TEST(Strands, AWaitInTheMiddleIsFound) {
  const AnnotatedKernel k(
      std::string(kSetUp) +
          "LOAD: ld.global.u32 %r2, [%d0];\nUSE: add.u32 %r4, %r2, 1;\nst.global.u32 [%d1], %r4;",
      kGebhart);
  isa::Program program = k.program();
  const ControlFlow flow(program);
  const WarpFlow warp(program, flow, Divergence(program, flow));
  EXPECT_FALSE(find_mid_strand_wait(program, flow, warp));
  program.code[k.at("LOAD")].ends_strand = false;
  EXPECT_EQ(find_mid_strand_wait(program, flow, warp), k.at("USE"));
}

}  // namespace
}  // namespace heddle::compiler
