// Tests the allocation of values to the scratchpad of Bailey 2018. Expected results for Fig. 5 and the rules
// of III-B were derived by hand. The paper lacks the code of Fig. 5, which is reconstructed from section
// II-D.

#include <gtest/gtest.h>

#include "tests/compiler/annotated_kernel.h"

namespace heddle::compiler {
namespace {

using test::AnnotatedKernel;
using test::scratchpad;

const std::string kStrands = R"({"type": "strands", "rule": "bailey"})";

std::string strand(const std::string& body) {
  return "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nadd.u32 %r2, %r0, %r1;\nxor.b32 %r8, %r0, %r1;\n"
         "ld.param.u64 %d0, [out];\nsetp.lt.u32 %p0, %r0, 7;\nbar.sync 0;\n" +
         body;
}

AnnotatedKernel allocate(const std::string& body, const std::string& pass) {
  return AnnotatedKernel(strand(body), {kStrands, pass});
}

// Bailey 2018, Fig. 5a, "complex control flow and frequent long latency operations": a strand ends between
// the write and the read of each value. The scratchpad holds values only within a strand, so it can hold none
// of these.
TEST(Scratchpad, Figure5aNothingToHold) {
  const AnnotatedKernel k = allocate(
      "L1: ld.global.u32 %r3, [%d0];\nT1: setp.lt.u32 %p1, %r3, 5;\nB1: @%p1 bra SKIP;\n"
      "L2: ld.global.u32 %r4, [%d0+4];\nA2: add.u32 %r5, %r4, %r3;\nbra JOIN;\n"
      "SKIP: mov.u32 %r5, 1;\nJOIN: st.global.u32 [%d0], %r5;",
      scratchpad(2));
  k.expect({{"L1", ""}, {"T1", ""}, {"L2", ""}, {"A2", ""}, {"SKIP", ""}, {"JOIN", ""}});
}

// Fig. 5b, "sequential arithmetic operations": the scratchpad holds all results.
TEST(Scratchpad, Figure5bSequentialArithmetic) {
  const AnnotatedKernel k = allocate(
      "A: mul.lo.u32 %r3, %r0, %r1;\nB: add.u32 %r4, %r3, %r2;\nC: mul.lo.u32 %r5, %r4, %r3;\n"
      "D: xor.b32 %r6, %r5, %r4;\nE: add.u32 %r7, %r6, %r5;\nST: st.global.u32 [%d0], %r7;",
      scratchpad(2, R"(, "read_allocations": false)"));
  const auto uses = [&](const std::string& label, const std::string& part) {
    return k.levels(label).find(part) != std::string::npos;
  };
  for (const char* label : {"A", "B", "C", "D", "E"}) {
    EXPECT_TRUE(uses(label, "d0>o")) << label;
    EXPECT_FALSE(uses(label, "+m")) << label;
  }
  for (const char* label : {"B", "C", "D", "E"}) EXPECT_TRUE(uses(label, "a<o")) << label;
  for (const char* label : {"C", "D", "E", "ST"}) EXPECT_TRUE(uses(label, "b<o")) << label;
}

// Fig. 5c: the loop body writes and reads R1 several times; one allocation of a scratchpad entry serves all
// these accesses. The loop counter R4 passes to the next iteration through the main file, because a strand
// ends at the loop's end.
TEST(Scratchpad, Figure5cLoop) {
  allocate(
      "mov.u32 %r4, 0;\nLOOP: mul.lo.u32 %r3, %r1, 3;\nA: add.u32 %r3, %r3, %r0;\nB: xor.b32 %r3, %r3, 5;\n"
      "C: st.shared.u32 [0x1000000], %r3;\nI: add.u32 %r4, %r4, 1;\nS: setp.lt.u32 %p1, %r4, 100;\n@%p1 bra "
      "LOOP;",
      scratchpad(1))
      .expect({{"LOOP", "d0>o0"},
               {"A", "d0>o0 a<o0"},
               {"B", "d0>o0 a<o0"},
               {"C", "b<o0"},
               {"I", "d0>o0+m"},
               {"S", "a<o0"}});
}

// A write allocation (an entry that holds results for later reads) is shortened at its end. The reads after
// the new end must then form a read allocation: the first of them fills an entry for the others.
const char* const kTail =
    "W: add.u32 %r3, %r2, 3;\nR1: add.u32 %r4, %r3, 3;\nR2: add.u32 %r5, %r3, 3;\n"
    "X1: add.u32 %r6, %r0, 1;\nX2: add.u32 %r7, %r6, 1;\nX3: add.u32 %r9, %r7, 1;\nX4: st.shared.u32 "
    "[0x1000004], %r9;\n"
    "R3: add.u32 %r10, %r3, 3;\nR4: add.u32 %r11, %r3, 4;";

TEST(Scratchpad, ReducedAtTheTailWithARemainder) {
  allocate(kTail, scratchpad(1))
      .expect({{"W", "d0>o0+m"},
               {"R1", "a<o0"},
               {"R2", "a<o0"},
               {"X1", "d0>o0"},
               {"X4", "b<o0"},
               {"R3", "a>o0"},
               {"R4", "a<o0"}});
}

TEST(Scratchpad, EachOptionSwitchesOnItsOwn) {
  allocate(kTail, scratchpad(1, R"(, "reduce_ranges": false)"))
      .expect({{"W", ""}, {"R1", ""}, {"X1", "d0>o0"}, {"R3", ""}, {"R4", ""}});
  allocate(kTail, scratchpad(1, R"(, "read_allocations": false)"))
      .expect({{"W", "d0>o0+m"}, {"R2", "a<o0"}, {"R3", ""}, {"R4", ""}});
  allocate(kTail, scratchpad(1, R"(, "live_out": false)"))
      .expect({{"W", ""}, {"R1", ""}, {"X1", "d0>o0"}, {"R3", ""}});
  allocate(kTail, scratchpad(2, R"(, "live_out": false)"))
      .expect({{"W", "d0>o1"}, {"R1", "a<o1"}, {"X1", "d0>o0"}, {"R3", "a<o1"}, {"R4", "a<o1"}});
}

// A write allocation is an entry that holds results of a register for later reads. If an allocation from the
// first result on does not fit, it must begin at the second result.
TEST(Scratchpad, ReducedAtTheHead) {
  const std::string body =
      "W1: add.u32 %r3, %r0, 1;\nX1: add.u32 %r5, %r0, 2;\nX2: add.u32 %r6, %r5, 3;\nX3: add.u32 %r7, %r6, "
      "1;\n"
      "W2: add.u32 %r3, %r3, %r7;\nY: add.u32 %r9, %r3, 4;\nST: st.shared.u32 [0x1000000], %r9;";
  allocate(body, scratchpad(1, R"(, "read_allocations": false)"))
      .expect({{"W1", ""},
               {"X1", "d0>o0"},
               {"X2", "d0>o0 a<o0"},
               {"X3", "d0>o0 a<o0"},
               {"W2", "d0>o0 b<o0"},
               {"Y", "d0>o0 a<o0"},
               {"ST", "b<o0"}});
  allocate(body, scratchpad(1, R"(, "read_allocations": false, "reduce_ranges": false)"))
      .expect({{"W1", ""}, {"X1", "d0>o0"}, {"W2", "b<o0"}, {"Y", "d0>o0"}, {"ST", "b<o0"}});
}

// A read allocation is an entry that the first of its reads fills from the main register file. If it is
// shortened, the reads outside of it must form new read allocations.
TEST(Scratchpad, ReadAllocationsShrinkToWindows) {
  allocate(
      "R1: add.u32 %r3, %r2, 1;\nR2: add.u32 %r4, %r2, 2;\nX1: add.u32 %r5, %r8, 1;\nX2: add.u32 %r6, %r5, "
      "1;\n"
      "X3: st.shared.u32 [0x1000000], %r6;\nR3: add.u32 %r7, %r2, 3;\nR4: add.u32 %r9, %r2, 4;",
      scratchpad(1))
      .expect({{"R1", "a>o0"},
               {"R2", "a<o0"},
               {"X1", "d0>o0"},
               {"X2", "d0>o0 a<o0"},
               {"X3", "b<o0"},
               {"R3", "a>o0"},
               {"R4", "a<o0"}});
}

// Only one side of a branch writes the register, so a read after the join must come from the main file.
TEST(Scratchpad, UncertainReadsStayInMain) {
  allocate(
      "@%p0 bra SIDE2;\nW: add.u32 %r2, %r0, 5;\nR: add.u32 %r6, %r2, 1;\nbra JOIN;\n"
      "SIDE2: add.u32 %r5, %r1, 1;\nJOIN: st.shared.u32 [0x1000000], %r2;\nAGAIN: st.shared.u32 [0x1000004], "
      "%r2;",
      scratchpad(2))
      .expect({{"W", "d0>o0+m"}, {"R", "a<o0"}, {"JOIN", "b>o0"}, {"AGAIN", "b<o0"}});
}

}  // namespace
}  // namespace heddle::compiler
