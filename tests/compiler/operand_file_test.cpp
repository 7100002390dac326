// Tests the allocation of values to the operand file and the last-result level with every example of Gebhart
// 2012 (Fig. 10 to 14, sections 4.4, 5.6 and 7.9), derived by hand. The paper lacks the code of Fig. 14,
// which is reconstructed from section 5.5.

#include <gtest/gtest.h>

#include "models/compiler/compilation_unit.h"
#include "models/compiler/upper_allocation.h"
#include "tests/compiler/annotated_kernel.h"

namespace heddle::compiler::operand_file_test {
namespace {

using test::AnnotatedKernel;
using test::operand_file;

std::string strand(const std::string& body) {
  return "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nadd.u32 %r2, %r0, %r1;\nld.param.u64 %d0, [out];\n"
         "setp.lt.u32 %p0, %r0, 7;\nbar.sync 0;\n" +
         body;
}

AnnotatedKernel allocate(const std::string& body, const std::string& pass) {
  return AnnotatedKernel(strand(body), {R"("strands")", pass});
}

struct Analysed {
  explicit Analysed(const AnnotatedKernel& kernel, int strand_number)
      : unit(kernel.program()),
        regions(find_regions(unit.program(), unit.control_flow(), true)),
        values(unit.program(), regions[static_cast<std::size_t>(strand_number)], unit.thread_liveness()) {
    energy.operand_read_pj = 1.2;
    energy.operand_write_pj = 4.4;
    energy.main_wire_pj = energy.operand_wire_pj = energy.operand_wire_shared_pj = energy.last_wire_pj = 0;
  }
  Candidate of(const AnnotatedKernel& kernel, const std::string& label) const {
    const CandidateRules rules(unit.program(), values, energy, {});
    for (const RegionWrite& w : values.writes()) {
      if (values.region().code[static_cast<std::size_t>(w.at)] != kernel.at(label)) continue;
      Candidate c = rules.of_web(w.web);
      EXPECT_TRUE(rules.evaluate(c));
      return c;
    }
    ADD_FAILURE() << "nothing written at " << label;
    return Candidate();
  }
  CompilationUnit unit;
  std::vector<Region> regions;
  RegionValues values;
  AccessEnergy energy;
};

// A read takes 8 pJ in the main file and 1.2 pJ in the operand file; a write takes 11 pJ in the main file and
// 4.4 pJ in the operand file. Keeping a value in the operand file saves reads * (8 - 1.2) - 4.4 pJ, and 11 pJ
// more if the value is not live after the strand.
TEST(Savings, Figure10ByHand) {
  const AnnotatedKernel k = allocate(
      "ONE: add.u32 %r3, %r0, 1;\nTWO: add.u32 %r4, %r3, 1;\nOUT: add.u32 %r5, %r4, %r4;\nadd.u32 %r6, %r5, "
      "1;\n"
      "st.shared.u32 [0x1000000], %r6;\nbar.sync 0;\nst.shared.u32 [0x1000000], %r5;",
      operand_file(3, ""));
  const Analysed a(k, k.strand("ONE"));
  const Candidate one = a.of(k, "ONE"), two = a.of(k, "TWO"), out = a.of(k, "OUT");
  EXPECT_DOUBLE_EQ(one.saved_pj, 1 * 6.8 - 4.4 + 11);
  EXPECT_DOUBLE_EQ(two.saved_pj, 2 * 6.8 - 4.4 + 11);
  EXPECT_DOUBLE_EQ(out.saved_pj, 1 * 6.8 - 4.4) << "read behind the barrier too";
  EXPECT_DOUBLE_EQ(one.score, 13.4) << "it occupies one issue slot";
}

TEST(Savings, WiresAndSharedUnits) {
  const AnnotatedKernel k = allocate(
      "P: add.u32 %r3, %r0, 1;\nadd.u32 %r4, %r3, 1;\nst.shared.u32 [0x1000000], %r3;", operand_file(3, ""));
  Analysed a(k, k.strand("P"));
  a.energy = AccessEnergy{}.resolved(3);
  EXPECT_DOUBLE_EQ(a.energy.operand_read_pj, 1.2) << "3 entries x 8 warps = 4 x 6 (Gebhart 2012, Table IV)";
  EXPECT_DOUBLE_EQ(a.energy.operand_write_pj, 4.4);
  // Lengths of wires that a read crosses: from an entry to an ordinary unit 0.2 mm, from an entry to the
  // memory unit 0.4 mm, from the main file to either unit 1 mm.
  EXPECT_NEAR(a.of(k, "P").saved_pj, (15.6 - 2.72) + (15.6 - 4.24) - 5.92 + 18.6, 1e-9);
}

// The first read takes a value from the main file, and also writes the value to an entry of the operand file
// (4.4 pJ). Each later read takes 1.2 pJ there instead of 8 pJ in the main file. This saves
// (reads - 1) * (8 - 1.2) - 4.4 pJ.
TEST(Savings, Figure13ByHand) {
  const AnnotatedKernel k = allocate(
      "A: add.u32 %r3, %r2, 1;\nadd.u32 %r3, %r2, 2;\nadd.u32 %r3, %r2, 3;\nst.shared.u32 [0x1000000], %r3;",
      operand_file(3, ""));
  const Analysed a(k, k.strand("A"));
  const CandidateRules rules(a.unit.program(), a.values, a.energy, {});
  std::vector<int> reads;
  for (std::size_t r = 0; r < a.values.reads().size(); ++r)
    if (a.values.reads()[r].kind == RegionRead::Kind::entering) reads.push_back(static_cast<int>(r));
  std::vector<Candidate> found = rules.of_fills(reads);
  ASSERT_EQ(found.size(), 1u);
  ASSERT_TRUE(rules.evaluate(found[0]));
  EXPECT_DOUBLE_EQ(found[0].saved_pj, (3 - 1) * 6.8 - 4.4);
}

TEST(AccessEnergy, TableFourByEntriesAndWarps) {
  AccessEnergy e;
  const auto read = [&](int entries, int warps) {
    e.active_warps = warps;
    return e.resolved(entries).operand_read_pj;
  };
  EXPECT_DOUBLE_EQ(read(4, 4), 1.2);
  EXPECT_DOUBLE_EQ(read(6, 8), 2.2);
  EXPECT_DOUBLE_EQ(read(8, 8), 3.4);
  EXPECT_DOUBLE_EQ(read(5, 8), 1.7 + (2.2 - 1.7) * (40 - 36) / (48 - 36));
  EXPECT_DOUBLE_EQ(read(1, 4), 0.7);
  e.operand_read_pj = 9;
  EXPECT_DOUBLE_EQ(read(8, 8), 9);
}

// Gebhart 2012, Fig. 11: an entry can hold four values in turn, each from one instruction to the next. Or the
// entry can hold one value during all this time. The four values together save more, so they must get the
// entry.
TEST(OperandFile, Figure11Greedy) {
  const std::string body =
      "A: add.u32 %r3, %r0, 1;\nB: add.u32 %r4, %r1, 2;\nC: add.u32 %r5, %r4, 3;\nD: add.u32 %r6, %r5, 4;\n"
      "E: add.u32 %r7, %r6, %r3;\nST: st.shared.u32 [0x1000000], %r7;";
  allocate(body, operand_file(1, ""))
      .expect({{"A", ""},
               {"B", "d0>o0"},
               {"C", "d0>o0 a<o0"},
               {"D", "d0>o0 a<o0"},
               {"E", "d0>o0 a<o0"},
               {"ST", "b<o0"}});
  allocate(body, operand_file(2, ""))
      .expect({{"A", "d0>o1"}, {"B", "d0>o0"}, {"E", "d0>o0 a<o0 b<o1"}, {"ST", "b<o0"}});
}

// A value that is live after the strand must be written to the main file. It must also be written to an entry
// of the operand file if reads of the entry save enough energy.
TEST(OperandFile, LiveOutValuesGoToBoth) {
  allocate(
      "A: add.u32 %r3, %r0, 1;\nB: add.u32 %r4, %r3, 2;\nBAR: bar.sync 0;\nC: st.shared.v2.u32 [0x1000000], "
      "{%r3, %r4};",
      operand_file(3, ""))
      .expect({{"A", "d0>o0+m"}, {"B", "a<o0"}, {"C", ""}});
}

// Fig. 12a: the entry holds a value only during a part of the value's lifetime.
TEST(OperandFile, Figure12aPartialRange) {
  const std::string body =
      "P: add.u32 %r3, %r2, 3;\nC1: add.u32 %r4, %r3, 3;\nC2: add.u32 %r5, %r3, 3;\n"
      "X1: add.u32 %r6, %r0, 1;\nX2: add.u32 %r7, %r6, 1;\nX3: add.u32 %r8, %r7, 1;\nX4: st.shared.u32 "
      "[0x1000004], %r8;\n"
      "LATE: add.u32 %r9, %r3, 3;\nST: st.shared.u32 [0x1000000], %r9;";
  allocate(body, operand_file(1, ""))
      .expect({{"P", ""},
               {"C1", ""},
               {"C2", ""},
               {"X1", "d0>o0"},
               {"X4", "b<o0"},
               {"LATE", "d0>o0"},
               {"ST", "b<o0"}});
  allocate(body, operand_file(1, "p"))
      .expect({{"P", "d0>o0+m"},
               {"C1", "a<o0"},
               {"C2", "a<o0"},
               {"X1", "d0>o0"},
               {"X2", "d0>o0 a<o0"},
               {"X4", "b<o0"},
               {"LATE", "d0>o0"},
               {"ST", "b<o0"}});
}

// Fig. 12b: the first read takes the value from the main file and writes it into an entry.
TEST(OperandFile, Figure12bReadOperand) {
  std::string body;
  for (int n = 1; n <= 8; ++n)
    body += "R" + std::to_string(n) + ": add.u32 %r" + std::to_string(n + 2) + ", %r2, 3;\n";
  std::vector<std::pair<std::string, std::string>> none, all;
  for (int n = 1; n <= 8; ++n) {
    none.emplace_back("R" + std::to_string(n), "");
    all.emplace_back("R" + std::to_string(n), n == 1 ? "a>o0" : "a<o0");
  }
  allocate(body, operand_file(1, "pf")).expect(none);
  allocate(body, operand_file(1, "r")).expect(all);
}

TEST(OperandFile, ReadOperandsAreNotFilledUnderAGuard) {
  allocate(
      "G: @%p0 add.u32 %r3, %r2, 1;\nA: add.u32 %r4, %r2, 2;\nB: @%p0 add.u32 %r5, %r2, 3;\n"
      "C: add.u32 %r6, %r2, %r2;",
      operand_file(1, "r"))
      .expect({{"G", ""}, {"A", "a>o0"}, {"B", "a<o0"}, {"C", "a<o0 b<o0"}});
  allocate("A: add.u32 %r3, %r2, %r2;\nB: add.u32 %r4, %r2, 2;\nC: add.u32 %r5, %r2, 1;",
           operand_file(1, "r"))
      .expect({{"A", "a>o0"}, {"B", "a<o0"}, {"C", "a<o0"}});
}

// Returns the program of Fig. 14 as PTX. In the figure, "R1 has been written to the MRF by a previous
// strand"; in the PTX, this register is %r3.
std::string hammock(const std::string& bb7, const std::string& bb8) {
  return "add.u32 %r3, %r0, 9;\nbar.sync 0;\nBB6: @%p0 bra BB8;\n" + bb7 +
         "bra BB9;\nBB8: add.u32 %r5, %r1, 1;\n" + bb8 + "BB9: st.shared.u32 [0x1000000], %r3;";
}
constexpr const char* kWrite7 = "W7: add.u32 %r3, %r0, 5;\n";
constexpr const char* kWrite8 = "W8: add.u32 %r3, %r1, 6;\n";

TEST(OperandFile, Figure14aWrittenOnOneSide) {
  allocate(hammock(kWrite7, ""), operand_file(3, "pf")).expect({{"W7", ""}, {"BB9", ""}});
}

TEST(OperandFile, Figure14bReadOnTheSideToo) {
  allocate(hammock(std::string(kWrite7) + "R7: add.u32 %r6, %r3, 1;\n", ""), operand_file(3, "pf"))
      .expect({{"W7", "d0>o0+m"}, {"R7", "a<o0"}, {"BB9", ""}});
}

TEST(OperandFile, Figure14cWrittenOnBothSides) {
  const std::string body = hammock(kWrite7, kWrite8);
  allocate(body, operand_file(3, "pf")).expect({{"W7", "d0>o0"}, {"W8", "d0>o0"}, {"BB9", "b<o0"}});
  allocate(body, operand_file(3, "p")).expect({{"W7", ""}, {"W8", ""}, {"BB9", ""}});
}

// A guarded result keeps the old value in lanes with a false guard. The result may be written to an entry
// only if the entry already holds the old value.
TEST(OperandFile, GuardedResults) {
  allocate("A: add.u32 %r3, %r0, 1;\nG: @%p0 add.u32 %r3, %r0, 2;\nB: st.shared.u32 [0x1000000], %r3;",
           operand_file(3, "pf"))
      .expect({{"A", "d0>o0"}, {"G", "d0>o0"}, {"B", "b<o0"}});
  allocate("G: @%p0 add.u32 %r2, %r0, 2;\nB: st.shared.u32 [0x1000000], %r2;", operand_file(3, "pf"))
      .expect({{"G", ""}, {"B", ""}});
}

TEST(OperandFile, PairsTakeTwoEntries) {
  const std::string body = "A: add.s64 %d2, %d0, 8;\nB: st.global.u32 [%d2], %r0;";
  allocate(body, operand_file(2, "")).expect({{"A", "d0>o0-1"}, {"B", "a<o0-1"}});
  allocate(body, operand_file(1, "")).expect({{"A", ""}, {"B", ""}});
}

TEST(OperandFile, LongLatencyResultsStayInMain) {
  const AnnotatedKernel k(
      strand("L: ld.global.u32 %r3, [%d0];\nA: add.u32 %r4, %r3, 1;\nB: st.global.u32 [%d0], %r4;"),
      {R"({"type": "strands", "long_latency": false})", operand_file(3, "pf")});
  k.expect({{"L", ""}, {"A", "d0>o0"}, {"B", "b<o0"}});
}

// The last-result level keeps an operand of the next instruction. Instructions of shared units (such as the
// load/store unit) read the level only with `last_result_shared` (Gebhart 2012, 5.6 and 4.4).
TEST(LastResult, Unified) {
  const std::string body =
      "A: add.u32 %r3, %r0, 1;\nB: add.u32 %r4, %r3, 2;\nC: st.shared.u32 [0x1000000], %r4;";
  allocate(body, operand_file(3, "prf", R"(, "last_result": "unified")"))
      .expect({{"A", "d0>lA"}, {"B", "d0>o0 a<lA"}, {"C", "b<o0"}});
  allocate(body, operand_file(3, "prf", R"(, "last_result": "unified", "last_result_shared": true)"))
      .expect({{"A", "d0>lA"}, {"B", "d0>lA a<lA"}, {"C", "b<lA"}});
}

TEST(LastResult, SharedUnitsProduceIntoTheOperandFile) {
  allocate("A: ex2.approx.f32 %r3, %r0;\nB: add.u32 %r4, %r3, 2;\nst.shared.u32 [0x1000000], %r4;",
           operand_file(3, "prf", R"(, "last_result": "split")"))
      .expect({{"A", "d0>o0"}, {"B", "d0>o0 a<o0"}});
}

TEST(LastResult, SplitByOperandSlot) {
  const std::string body =
      "A: add.u32 %r3, %r0, 1;\nB: add.u32 %r4, %r1, 2;\nC: add.u32 %r5, %r3, %r4;\nst.shared.u32 "
      "[0x1000000], %r5;";
  allocate(body, operand_file(3, "prf", R"(, "last_result": "split")"))
      .expect({{"A", "d0>lA"}, {"B", "d0>lB"}, {"C", "d0>o0 a<lA b<lB"}});
  // The unified last-result level has one entry. The value with the shorter lifetime gets this entry.
  allocate(body, operand_file(3, "prf", R"(, "last_result": "unified")"))
      .expect({{"A", "d0>o0"}, {"B", "d0>lA"}, {"C", "d0>o0 a<o0 b<lA"}});
  // A value that two operand slots read cannot be in the split last-result level, so it is kept in the
  // operand file.
  allocate(
      "A: add.u32 %r3, %r0, 1;\nB: add.u32 %r4, %r1, %r3;\nC: add.u32 %r5, %r3, %r4;\n"
      "st.shared.u32 [0x1000000], %r5;",
      operand_file(3, "prf", R"(, "last_result": "split")"))
      .expect({{"A", "d0>o0"}, {"B", "d0>lB b<o0"}, {"C", "d0>o0 a<o0 b<lB"}});
}

TEST(Encodings, WhatOneInstructionMayWrite) {
  // %r3 and %r4 are read before and after the barrier. Before the barrier, the next instruction after the
  // write of %r3 reads %r3, and a memory unit reads %r4.
  const std::string body =
      "A: add.u32 %r3, %r0, 1;\nB: add.u32 %r4, %r3, 2;\nC: st.shared.u32 [0x1000000], %r4;\nbar.sync 0;\n"
      "st.shared.v2.u32 [0x1000000], {%r3, %r4};";
  const auto pass = [](const std::string& writes) {
    return operand_file(3, "prf", R"(, "last_result": "unified", "writes": ")" + writes + "\"");
  };
  allocate(body, pass("any")).expect({{"A", "d0>lA+m"}, {"B", "d0>o0+m a<lA"}, {"C", "b<o0"}});
  allocate(body, pass("last-result-and-main")).expect({{"A", "d0>lA+m"}, {"B", "a<lA"}, {"C", ""}});
  allocate(body, pass("one-level")).expect({{"A", ""}, {"B", ""}, {"C", ""}});
}

// Limit study (Gebhart 2012, 8.2): values of a loop may stay in entries across the backward branch.
TEST(OperandFile, ValuesThatPassBackwardBranches) {
  const AnnotatedKernel k(
      strand("A: add.u32 %r3, %r0, 1;\nLOOP: add.u32 %r3, %r3, %r1;\nS: setp.lt.u32 %p1, %r3, 90;\n"
             "@%p1 bra LOOP;\nB: st.shared.u32 [0x1000000], %r3;"),
      {R"({"type": "strands", "backward_branches": false})", operand_file(1, "f")});
  k.expect({{"A", "d0>o0"}, {"LOOP", "d0>o0 a<o0"}, {"S", "a<o0"}, {"B", "b<o0"}});
}

}  // namespace
}  // namespace heddle::compiler::operand_file_test
