// Tests each clean-up pass of the compiler alone, with an input program and the expected output program.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/verify.h"
#include "tests/compiler/compiler_harness.h"

namespace heddle::compiler::passes_test {
namespace {

constexpr const char* kDeclarations =
    ".reg .b32 %r<10>;\n.reg .b64 %d<6>;\n.reg .pred %p<6>;\n.reg .b16 %h<4>;\n";

std::string after(const std::vector<std::string>& passes, const std::string& body) {
  const PassContext context;
  CompilationUnit unit(test::bare_kernel(kDeclarations + body));
  for (const std::string& pass : passes) {
    Registry<ICompilerPass>::instance().make(ConfigNode::make_string(pass), context)->run(unit);
    verify_after_pass(pass, unit.program());
  }
  return test::text_of(unit.program());
}

TEST(FoldParameters, ScalarsBecomeOperandsNarrowOnesStay) {
  EXPECT_EQ(after({"fold-parameters"},
                  "ld.param.u64 %d0, [out];\nld.param.u32 %r0, [n];\nld.param.u8 %r1, [n];\n"
                  "st.global.v2.u32 [%d0], {%r0, %r1};\nret;"),
            "mov.u64 rd0, param[0]\nmov.u32 r2, param[16]\nld.param.u8 r3, [0x4000010]\n"
            "st.global.v2.u32 [rd0], {r2, r3}\nexit\n");
}

TEST(FoldConversions, OnlyWhatChangesNoBit) {
  EXPECT_EQ(
      after(
          {"fold-conversions"},
          "cvta.to.global.u64 %d1, %d0;\ncvt.u32.s32 %r1, %r0;\ncvt.s64.s32 %d2, %r0;\ncvt.sat.u32.s32 %r2, "
          "%r0;\nret;"),
      "mov.b64 rd0, rd2\nmov.b32 r4, r5\ncvt.s64.s32 rd6, r5\ncvt.sat.u32.s32 r8, r5\nexit\n");
}

TEST(ScheduleLoads, TogetherAndTheirUsersBehindThemAll) {
  EXPECT_EQ(after({"schedule-loads"},
                  "ld.global.u32 %r0, [%d0];\nadd.u32 %r1, %r0, 1;\nadd.u64 %d1, %d0, 8;\n"
                  "ld.global.u32 %r2, [%d1];\nadd.u32 %r3, %r2, %r1;\nst.global.u32 [%d0], %r3;\nret;"),
            "ld.global.u32 r0, [rd1]\nadd.u64 rd4, rd1, 8\nld.global.u32 r6, [rd4]\nadd.u32 r3, r0, 1\n"
            "add.u32 r7, r6, r3\nst.global.u32 [rd1], r7\nexit\n");
}

TEST(ScheduleLoads, NotPastStoresFencesAndWhatTheyOverwrite) {
  const std::string body =
      "ld.global.u32 %r0, [%d0];\nst.global.u32 [%d0], %r0;\nld.global.u32 %r1, [%d0];\nmembar.gl;\n"
      "ld.global.u32 %r0, [%d0];\nmov.u32 %r2, %r0;\n@%p0 ld.global.u32 %r0, [%d1];\nret;";
  EXPECT_EQ(after({"schedule-loads"}, body), after({}, body));
}

// swap-operands moves a register to the slot in which other instructions read it. The first subtraction reads
// the sum %r2 in its first slot, and the addition reads %r1 in its second slot. The operands of the `and` are
// therefore swapped to %r2, %r1. For the addition and the `or`, both orders match equally many reads of other
// instructions, so their operands are not swapped.
TEST(SwapOperands, ToTheSlotsOfTheOtherReads) {
  EXPECT_EQ(
      after({"swap-operands"},
            "add.u32 %r2, %r0, %r1;\nsub.u32 %r3, %r2, %r0;\nand.b32 %r4, %r1, %r2;\nshl.b32 %r5, %r0, %r4;\n"
            "or.b32 %r6, %r4, %r3;\nsub.u32 %r7, %r4, %r3;\nret;"),
      "add.u32 r0, r1, r2\nsub.u32 r3, r0, r1\nand.b32 r4, r0, r2\nshl.b32 r5, r1, r4\nor.b32 r6, r4, r3\n"
      "sub.u32 r7, r4, r3\nexit\n");
}

TEST(UnrollLoops, EachCopyLeavesWhereTheLoopJumpedBack) {
  const auto round = [](const std::string& branch) {
    return "add.u32 r0, r0, 1\nsetp.lt.u32 p0, r0, 5\n" + branch + "\n";
  };
  EXPECT_EQ(after({"unroll-loops"},
                  "mov.u32 %r0, 0;\nLOOP: add.u32 %r0, %r0, 1;\nsetp.lt.u32 %p0, %r0, 5;\n@%p0 bra LOOP;\n"
                  "mov.u32 %r1, %r0;\nret;"),
            "mov.u32 r0, 0\n" + round("@!p0 bra #13") + round("@!p0 bra #13") + round("@!p0 bra #13") +
                round("@p0 bra #1") + "mov.u32 r1, r0\nexit\n");
}

// If the target of a branch lies within the loop, the branch must lead to the target in its own unrolled
// copy. The unguarded backward jump must remain only in one copy.
TEST(UnrollLoops, TestsAtTheHeadAndBranchesWithinStayInTheirCopies) {
  const auto round = [](int copy) {
    return fmt::format(
        "setp.ge.u32 p0, r0, r1\n@p0 bra #21\n@p1 bra #{}\nadd.u32 r2, r2, r0\nadd.u32 r0, r0, 1\n",
        5 * copy + 4);
  };
  EXPECT_EQ(after({"unroll-loops"},
                  "LOOP: setp.ge.u32 %p0, %r0, %r1;\n@%p0 bra END;\n@%p1 bra SKIP;\nadd.u32 %r2, %r2, %r0;\n"
                  "SKIP: add.u32 %r0, %r0, 1;\nbra LOOP;\nEND: ret;"),
            round(0) + round(1) + round(2) + round(3) + "bra #0\nexit\n");
}

TEST(UnrollLoops, NotWhereLanesWouldMeetElsewhere) {
  const std::string end = "add.u32 %r0, %r0, 1;\nsetp.lt.u32 %p0, %r0, 5;\n@%p0 bra LOOP;\n";
  std::string longer = "LOOP: ";
  for (int i = 0; i < 62; ++i) longer += "add.u32 %r1, %r1, %r0;\n";
  for (const std::string& body :
       {"LOOP: @%p1 exit;\n" + end + "ret;",  // not unrolled: threads exit within the loop
        "LOOP: @%p1 bra AWAY;\n" + end + "mov.u32 %r1, 1;\nAWAY: ret;",
        // this loop is not unrolled, because a branch enters its middle
        "@%p1 bra IN;\nLOOP: mov.u32 %r2, 1;\nIN: " + end + "ret;", longer + end + "ret;"})
    EXPECT_EQ(after({"unroll-loops"}, body), after({}, body));
}

TEST(PropagateCopies, RegistersThroughChains) {
  EXPECT_EQ(after({"propagate-copies"},
                  "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %r0;\nmov.u32 %r2, %r1;\n"
                  "add.u32 %r3, %r2, %r1;\nret;"),
            "mov.u32 r0, %tid.x\nmov.u32 r1, r0\nmov.u32 r2, r0\nadd.u32 r3, r0, r0\nexit\n");
}

TEST(PropagateCopies, NotPastAWriteOfEitherSide) {
  EXPECT_EQ(
      after({"propagate-copies"},
            "mov.u32 %r0, %tid.x;\nsetp.eq.u32 %p0, %r0, 0;\nmov.u32 %r1, %r0;\n@%p0 add.u32 %r0, %r0, 1;\n"
            "add.u32 %r2, %r1, %r0;\nmov.u32 %r3, %r0;\n@%p0 mov.u32 %r3, 5;\nadd.u32 %r4, %r3, %r0;\nret;"),
      "mov.u32 r0, %tid.x\nsetp.eq.u32 p0, r0, 0\nmov.u32 r1, r0\n@p0 add.u32 r0, r0, 1\nadd.u32 r2, r1, r0\n"
      "mov.u32 r3, r0\n@p0 mov.u32 r3, 5\nadd.u32 r4, r3, r0\nexit\n");
}

TEST(PropagateCopies, BehindAJoinOnlyWhatHoldsOnBothPaths) {
  EXPECT_EQ(after({"propagate-copies"},
                  "mov.u32 %r0, %tid.x;\nsetp.eq.u32 %p0, %r0, 0;\n@%p0 bra ELSE;\nmov.u32 %r1, "
                  "%r0;\nmov.u32 %r2, 3;\n"
                  "bra JOIN;\nELSE: mov.u32 %r1, %r0;\nmov.u32 %r2, 4;\nJOIN: add.u32 %r3, %r1, %r2;\nret;"),
            "mov.u32 r0, %tid.x\nsetp.eq.u32 p0, r0, 0\n@p0 bra #6\nmov.u32 r1, r0\nmov.u32 r2, 3\nbra #8\n"
            "mov.u32 r1, r0\nmov.u32 r2, 4\nadd.u32 r3, r0, r2\nexit\n");
}

TEST(PropagateCopies, ConstantsWhereOneFits) {
  EXPECT_EQ(
      after({"fold-parameters", "propagate-copies"},
            "mov.u32 %r0, 7;\nld.param.u32 %r1, [n];\nadd.u32 %r2, %r0, %r1;\nmul.lo.u32 %r3, %r2, %r1;\n"
            "mov.u64 %d0, 0x1000000;\nst.shared.u32 [%d0+4], %r0;\nmov.u32 %r4, %r0;\nret;"),
      "mov.u32 r0, 7\nmov.u32 r1, param[16]\nadd.u32 r2, 7, r1\nmul.lo.u32 r3, r2, param[16]\n"
      "mov.u64 rd4, 0x1000000\nst.shared.u32 [0x1000000+4], r0\nmov.u32 r6, 7\nexit\n");
}

TEST(PropagateCopies, GuardsButNotOfBranches) {
  EXPECT_EQ(
      after({"propagate-copies"},
            "mov.u32 %r0, %tid.x;\nsetp.eq.u32 %p0, %r0, 0;\nnot.pred %p1, %p0;\n@%p1 add.u32 %r0, %r0, 1;\n"
            "mov.pred %p2, 0;\n@%p2 add.u32 %r0, %r0, 2;\n@!%p2 add.u32 %r0, %r0, 3;\n@%p2 bra END;\n"
            "@!%p1 bra END;\nadd.u32 %r0, %r0, 4;\nEND: ret;"),
      "mov.u32 r0, %tid.x\nsetp.eq.u32 p0, r0, 0\nnot.pred p1, p0\n@!p0 add.u32 r0, r0, 1\n"
      "mov.pred p2, 0\nadd.u32 r0, r0, 3\n@p2 bra #9\n@p0 bra #9\nadd.u32 r0, r0, 4\nexit\n");
}

TEST(SimplifyPredicates, LogicWithConstants) {
  EXPECT_EQ(
      after({"propagate-copies", "simplify-predicates"},
            "mov.u32 %r0, %tid.x;\nsetp.eq.u32 %p0, %r0, 0;\nmov.pred %p1, 0;\nxor.pred %p2, %p0, %p1;\n"
            "or.pred %p3, %p0, %p1;\nand.pred %p4, %p1, %p0;\nmov.pred %p5, 1;\nxor.pred %p5, %p0, %p5;\n"
            "selp.u32 %r1, 4, %r0, %p1;\nret;"),
      "mov.u32 r0, %tid.x\nsetp.eq.u32 p0, r0, 0\nmov.pred p1, 0\nmov.pred p2, p0\nmov.pred p3, p0\n"
      "mov.pred p4, 0\nmov.pred p5, 1\nnot.pred p5, p0\nmov.u32 r1, r0\nexit\n");
}

TEST(RemoveDeadCode, ResultsThatNothingNeeds) {
  // Must be removed: the write of %r2, which only the same instruction reads; the first write of %r3, which
  // is overwritten; the code at BEHIND, which is never reached. The load and the atomic must stay, because
  // loads and atomics have effects.
  EXPECT_EQ(
      after({"remove-dead-code"},
            "ld.param.u64 %d0, [out];\nld.param.u64 %d1, [in];\nmov.u32 %r0, %tid.x;\nmov.u32 %r2, 0;\n"
            "LOOP: add.u32 %r2, %r2, 1;\nmov.u32 %r3, 5;\nmov.u32 %r3, %r0;\nadd.u32 %r0, %r0, 1;\n"
            "setp.lt.u32 %p0, %r0, 99;\nld.global.u32 %r5, [%d0];\natom.global.add.u32 %r6, [%d0], %r3;\n"
            "@%p0 bra LOOP;\nbra END;\nBEHIND: mov.u32 %r0, 7;\nst.global.u32 [%d0], %r0;\nEND: ret;"),
      "ld.param.u64 rd0, [0x4000000]\nmov.u32 r4, %tid.x\nmov.u32 r6, r4\nadd.u32 r4, r4, 1\n"
      "setp.lt.u32 p0, r4, 99\nld.global.u32 r7, [rd0]\natom.global.add.u32 r8, [rd0], r6\n@p0 bra #2\nbra "
      "#9\n"
      "exit\n");
}

TEST(CleanBranches, ToTheNextInstruction) {
  EXPECT_EQ(after({"clean-branches"}, "mov.u32 %r0, 1;\nbra A;\nA: mov.u32 %r1, 2;\nbra END;\nEND: ret;"),
            "mov.u32 r0, 1\nmov.u32 r1, 2\nexit\n");
}

}  // namespace
}  // namespace heddle::compiler::passes_test
