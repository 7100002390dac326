// The checker of register-hierarchy annotations (check_levels) finds every kind of wrong annotation. Each
// test changes one annotation of a correct program.

#include "models/compiler/check_levels.h"

#include <gtest/gtest.h>

#include <functional>

#include "models/compiler/verify.h"
#include "models/core/error.h"
#include "tests/compiler/annotated_kernel.h"

namespace heddle::compiler::check_levels_test {
namespace {

using isa::Instruction;
using test::AnnotatedKernel;
using test::operand_file;

constexpr const char* kSetUp =
    "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nadd.u32 %r2, %r0, %r1;\nld.param.u64 %d0, [in];\n"
    "setp.lt.u32 %p0, %r0, 7;\nbar.sync 0;\n";

class Broken {
 public:
  explicit Broken(const std::string& body, int entries = 3, const std::string& more = "")
      : kernel_(kSetUp + body, {R"("strands")", operand_file(entries, "prf", more)}),
        program_(kernel_.program()) {
    EXPECT_FALSE(fault());
  }
  Instruction& operator[](const std::string& label) { return program_.code[kernel_.at(label)]; }
  Instruction& before(const std::string& label) { return program_.code[kernel_.at(label) - 1]; }
  std::optional<LevelFault> fault(bool shared = true) const {
    const ControlFlow flow(program_);
    return find_level_fault(program_, flow, Divergence(program_, flow), shared);
  }
  void expect_at(const std::string& label, const std::string& part) const {
    const auto found = fault();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->instruction, kernel_.at(label)) << found->what;
    EXPECT_NE(found->what.find(part), std::string::npos) << found->what;
    EXPECT_THROW(check_levels(program_), Error);
    EXPECT_THROW(verify_after_pass("test", program_), InternalError);
  }

 private:
  AnnotatedKernel kernel_;
  isa::Program program_;
};

const char* const kStraight =
    "A: add.u32 %r3, %r0, 1;\nB: add.u32 %r4, %r3, 2;\nC: add.u32 %r5, %r3, %r4;\nBAR: bar.sync 0;\n"
    "D: st.shared.u32 [0x1000000], %r5;";

TEST(CheckLevels, ValueThatMainLacks) {
  Broken p(kStraight);
  p["A"].dst[0].annotation.write_levels = isa::level_bit(isa::kOperandLevel);
  p["C"].src[0].annotation.read_level = isa::kMainLevel;
  p.expect_at("C", "main, which lacks");
}

TEST(CheckLevels, ValueLostAtTheStrandEnd) {
  Broken p(kStraight);
  p["C"].dst[0].annotation.write_levels = 3;
  p["C"].dst[0].annotation.entry = 2;
  ASSERT_FALSE(p.fault());
  p["D"].src[1].annotation.read_level = isa::kOperandLevel;
  p["D"].src[1].annotation.entry = 2;
  p.expect_at("D", "entry 2");
  p["BAR"].ends_strand = false;
  p.expect_at("D", "entry 2");
  p["D"].begins_strand = false;
  EXPECT_FALSE(p.fault());
}

TEST(CheckLevels, EntryOfAnotherValue) {
  Broken p(kStraight);
  p["B"].dst[0].annotation.entry = p["A"].dst[0].annotation.entry;
  p["C"].src[1].annotation.entry = p["A"].dst[0].annotation.entry;
  p.expect_at("C", "reads register");
}

TEST(CheckLevels, OldValueInTheEntry) {
  Broken p(
      "A: add.u32 %r3, %r0, 1;\nB: add.u32 %r4, %r3, 2;\nG: @%p0 add.u32 %r3, %r0, 3;\n"
      "C: st.shared.v2.u32 [0x1000000], {%r3, %r4};");
  p["G"].dst[0].annotation.write_levels = 0;
  p.expect_at("C", "reads register");
}

TEST(CheckLevels, GuardedResultAlone) {
  Broken p("A: add.u32 %r3, %r0, 1;\nG: @%p0 add.u32 %r3, %r0, 3;\nC: st.shared.u32 [0x1000000], %r3;");
  p["A"].dst[0].annotation.write_levels = 0;
  p.expect_at("C", "reads register");
}

TEST(CheckLevels, ResultOfOneSide) {
  Broken p(
      "@%p0 bra BB8;\nBB7: add.u32 %r3, %r0, 5;\nbra BB9;\nBB8: add.u32 %r3, %r1, 6;\n"
      "BB9: st.shared.u32 [0x1000000], %r3;");
  EXPECT_EQ(p["BB9"].src[1].annotation.read_level, isa::kOperandLevel);
  p["BB8"].dst[0].annotation.write_levels = 0;
  p.expect_at("BB9", "reads register");
}

// The lanes on one side of a branch wait for their load, so the warp is descheduled. The entries of the
// operand file are then lost also for the lanes that wait on the other side of the branch or at the join.
TEST(CheckLevels, StrandEndOnTheOtherSide) {
  const std::string body =
      "@%p0 bra BB8;\nBB7: add.u32 %r3, %r0, 5;\nX7: add.u32 %r4, %r3, 1;\nbra BB9;\nBB8: add.u32 %r3, %r1, "
      "6;\n"
      "BB9: st.shared.u32 [0x1000000], %r3;";
  Broken second(body);
  second["X7"].ends_strand = true;
  second.expect_at("BB9", "reads register");
  Broken first(body);
  first["BB8"].ends_strand = true;
  first.expect_at("BB9", "reads register");
  Broken other(
      "A: add.u32 %r3, %r0, 5;\n@%p0 bra BB8;\nBB7: add.u32 %r4, %r1, 1;\nbra BB9;\n"
      "BB8: st.shared.u32 [0x1000000], %r3;\nBB9: st.shared.u32 [0x1000004], %r1;");
  EXPECT_EQ(other["BB8"].src[1].annotation.read_level, isa::kOperandLevel);
  other["BB7"].ends_strand = true;
  other.expect_at("BB8", "reads register");
}

TEST(CheckLevels, Fills) {
  const std::string body =
      "A: add.u32 %r3, %r2, 1;\nB: add.u32 %r4, %r2, 2;\nC: add.u32 %r5, %r2, %r4;\n"
      "D: st.shared.v2.u32 [0x1000000], {%r3, %r5};";
  Broken guarded(body);
  guarded["A"].guard = {true, false, PredId(0)};
  guarded.expect_at("A", "guarded fill");
  Broken same(body, 8);
  same["C"].src[0].annotation = {};
  same["C"].src[0].annotation.write_levels = isa::level_bit(isa::kOperandLevel);
  same["C"].src[0].annotation.entry = same["C"].src[1].annotation.entry;
  same.expect_at("C", "filled");
  Broken main(body);
  main["A"].src[0].annotation.write_levels = isa::level_bit(isa::kMainLevel);
  main.expect_at("A", "fill of main");
  Broken late(body);
  late["A"].src[0].annotation = {};
  late.expect_at("B", "reads register");
}

TEST(CheckLevels, Places) {
  Broken load("L: ld.global.u32 %r3, [%d0];\nA: st.shared.u32 [0x1000000], %r3;");
  load["L"].dst[0].annotation.write_levels = 3;
  load.expect_at("L", "long-latency");
  Broken pair("L: add.s64 %d1, %d0, 8;\nA: st.shared.u64 [0x1000000], %d1;");
  pair["L"].dst[0].annotation.write_levels = 5;
  pair.expect_at("L", "pair");
  Broken both(kStraight);
  both["A"].dst[0].annotation.write_levels = 6;
  both.expect_at("A", "two upper levels");
  Broken shared("A: add.u32 %r3, %r0, 1;\nB: st.shared.u32 [0x1000000], %r3;", 3,
                R"(, "last_result": "unified", "last_result_shared": true)");
  EXPECT_FALSE(shared.fault(true));
  ASSERT_TRUE(shared.fault(false));
  EXPECT_NE(shared.fault(false)->what.find("shared unit"), std::string::npos);
}

// A loop's backward branch ends the strand, and upper levels lose their contents there. So no operand-file
// entry holds a value from one iteration to the next.
TEST(CheckLevels, BackwardBranches) {
  Broken p(
      "A: add.u32 %r3, %r0, 1;\nLOOP: add.u32 %r3, %r3, 1;\nS: setp.lt.u32 %p1, %r3, 90;\nBACK: @%p1 bra "
      "LOOP;\n"
      "B: st.shared.u32 [0x1000000], %r3;");
  p["LOOP"].src[0].annotation.read_level = isa::kOperandLevel;
  p["LOOP"].src[0].annotation.entry = p["LOOP"].dst[0].annotation.entry;
  p.expect_at("LOOP", "reads register");
}

}  // namespace
}  // namespace heddle::compiler::check_levels_test
