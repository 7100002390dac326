// Tests the code that distinguishes two kinds of programs: those whose instruction counts depend only on the
// data, and those whose counts also depend on the order of execution.

#include <gtest/gtest.h>

#include "models/ptx/module.h"
#include "testbench/estimate/order_dependence.h"
#include "testbench/launch/program_provider.h"

namespace heddle::estimate {
namespace {

OrderDependence of(const std::string& body) {
  const std::string text =
      ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
      "  .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<9>;\n  ld.param.u64 %rd1, [p];\n" +
      body + "\n  ret;\n}\n";
  return order_dependence(*launch::PtxPrograms(ptx::parse_module(text, "test.ptx")).program("k"));
}

TEST(OrderDependence, DataDecides) {
  EXPECT_EQ(
      of("ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L; st.global.u32 [%rd1], %r1; L:"),
      OrderDependence::none);
  EXPECT_EQ(of("atom.global.add.u32 %r1, [%rd1], 1; st.global.u32 [%rd1+64], %r1;"), OrderDependence::none)
      << "an old value that steers nothing";
  EXPECT_EQ(of("red.global.add.u32 [%rd1], 1;"), OrderDependence::none);
}

TEST(OrderDependence, TheOrderOfAtomicsOrTimeDecides) {
  EXPECT_EQ(
      of("atom.global.inc.u32 %r1, [%rd1], 9; setp.eq.u32 %p1, %r1, 9; @%p1 st.global.u32 [%rd1+64], %r1;"),
      OrderDependence::counts)
      << "the last block does more";
  EXPECT_EQ(of("mov.u32 %r1, %clock; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra L; "
               "st.global.u32 [%rd1], %r1; L:"),
            OrderDependence::counts);
  EXPECT_EQ(of("ld.global.u32 %r1, [%rd1]; L: mov.u32 %r2, %r1; "
               "atom.global.cas.b32 %r1, [%rd1], %r2, 5; setp.ne.u32 %p1, %r1, %r2; @%p1 bra L;"),
            OrderDependence::counts)
      << "one that tries again waits for nobody";
}

TEST(OrderDependence, AWarpMayWait) {
  EXPECT_EQ(of("L: ld.volatile.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;"),
            OrderDependence::waits);
  EXPECT_EQ(of("L: atom.global.cas.b32 %r1, [%rd1], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;"),
            OrderDependence::waits)
      << "a lock";
  EXPECT_EQ(of("L: atom.global.or.b32 %r1, [%rd1], 0; setp.ne.u32 %p1, %r1, 0; @%p1 bra M; bra L; M:"),
            OrderDependence::waits)
      << "the way out of a loop";
}

}  // namespace
}  // namespace heddle::estimate
