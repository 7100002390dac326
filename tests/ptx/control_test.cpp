#include <gtest/gtest.h>

#include "tests/ptx/ptx_text.h"

namespace heddle::ptx {
namespace {

using isa::Opcode;
using test::lower;

TEST(Control, BranchesFindTheirLabels) {
  const isa::Program p = lower(
      "BB0_1: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 9; @%p1 bra BB0_1; @!%p1 bra.uni $L__BB0_2; mov.u32 "
      "%r1, 0;\n"
      "$L__BB0_2:");
  EXPECT_EQ(p.code[2].target, 0);
  EXPECT_TRUE(p.code[2].guard.present);
  EXPECT_FALSE(p.code[2].uniform);
  EXPECT_EQ(p.code[3].target, 5);
  EXPECT_TRUE(p.code[3].uniform);
  EXPECT_TRUE(p.code[3].guard.negated);
  EXPECT_EQ(p.labels[0], "BB0_1");
  EXPECT_EQ(p.labels[5], "$L__BB0_2");
  EXPECT_EQ(p.code[5].op, Opcode::exit);
  EXPECT_EQ(p.code.size(), 6u);
}

TEST(Control, LabelsBelongToTheirBlock) {
  const isa::Program p =
      lower("{ L: mov.u32 %r1, 1; bra L; } { L: mov.u32 %r1, 2; { bra L; } bra OUT; } OUT: mov.u32 %r1, 3;");
  EXPECT_EQ(p.code[1].target, 0);
  EXPECT_EQ(p.code[3].target, 2);
  EXPECT_EQ(p.code[4].target, 5);
}

TEST(Control, KernelsEndInExit) {
  const auto ends = [](const std::string& body) { return lower(body).code.back().op; };
  EXPECT_EQ(ends("mov.u32 %r1, 0;"), Opcode::exit);
  EXPECT_EQ(lower("trap;").code.size(), 2u);
  const isa::Program label_last = lower("@%p1 bra END; ret; END:");
  EXPECT_EQ(label_last.code[0].target, 2);
  EXPECT_EQ(label_last.code[2].op, Opcode::exit);
  const isa::Program endless = lower("L: bra L;");
  EXPECT_EQ(endless.code[0].target, 0);
}

TEST(Control, IndexedBranchIsAChainOfCompares) {
  const isa::Program p = lower(
      "@%p1 brx.idx %r1, table; A: mov.u32 %r2, 1; bra END; B: mov.u32 %r2, 2; bra END; C: mov.u32 %r2, 3;\n"
      "table: .branchtargets A, B, C; END:");
  EXPECT_EQ(p.code[0].op, Opcode::bra);
  EXPECT_TRUE(p.code[0].guard.negated);
  EXPECT_EQ(p.code[0].target, 6);
  EXPECT_EQ(p.code[1].op, Opcode::setp);
  EXPECT_EQ(p.code[2].target, 6);
  EXPECT_EQ(p.code[3].src[1].value, 1u);
  EXPECT_EQ(p.code[4].target, 8);
  EXPECT_EQ(p.code[5].target, 10);
  EXPECT_FALSE(p.code[5].guard.present);
}

}  // namespace
}  // namespace heddle::ptx
