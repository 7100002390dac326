#include "models/compiler/analyses/control_flow.h"

#include <gtest/gtest.h>

#include "models/compiler/analyses/dominators.h"
#include "models/compiler/analyses/reconvergence.h"
#include "models/core/error.h"
#include "models/ptx/module.h"
#include "models/reference/post_dominators.h"
#include "tests/compiler/compiler_harness.h"

namespace heddle::compiler {
namespace {

using test::bare_kernel;

int block_at(const isa::Program& program, const ControlFlow& flow, const std::string& label) {
  for (std::size_t n = 0; n < program.labels.size(); ++n)
    if (program.labels[n] == label) return flow.block_of(n);
  ADD_FAILURE() << "no label " << label;
  return 0;
}

int meets(const isa::Program& program, const ControlFlow& flow, const std::string& label,
          ExitRule rule = ExitRule::end_of_all) {
  return reconvergence_blocks(program, flow, rule)[static_cast<std::size_t>(block_at(program, flow, label))];
}

constexpr const char* kHead =
    ".reg .pred %p<8>;\n.reg .b32 %r<8>;\nmov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 5;\n";

TEST(Dominators, DiamondInsideALoop) {
  const std::vector<int> expected{-1, 0, 1, 1, 1, 4, -1};
  EXPECT_EQ(immediate_dominators(7, {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 1}, {4, 5}, {6, 5}}, 0),
            expected);
}

TEST(ControlFlow, BlocksAndLoopDepth) {
  const isa::Program p = bare_kernel(std::string(kHead) +
                                     "OUTER: setp.lt.u32 %p1, %r0, 3;\n"
                                     "INNER: add.u32 %r0, %r0, 1;\n@%p1 bra INNER;\n"
                                     "LATCH: @%p0 bra OUTER;\nEND: ret;");
  const ControlFlow flow(p);
  ASSERT_EQ(flow.size(), 5);
  EXPECT_EQ(flow.block(block_at(p, flow, "OUTER")).loop_depth, 1);
  EXPECT_EQ(flow.block(block_at(p, flow, "INNER")).loop_depth, 2);
  EXPECT_EQ(flow.block(block_at(p, flow, "LATCH")).loop_depth, 1);
  EXPECT_EQ(flow.block(block_at(p, flow, "END")).loop_depth, 0);
  EXPECT_TRUE(flow.dominates(block_at(p, flow, "OUTER"), block_at(p, flow, "LATCH")));
  EXPECT_FALSE(flow.dominates(block_at(p, flow, "LATCH"), block_at(p, flow, "OUTER")));
}

TEST(ControlFlow, RefusesCodeThatRunsPastItsEnd) {
  isa::Program p = bare_kernel(std::string(kHead) + "ret;");
  p.code.pop_back();
  EXPECT_THROW(ControlFlow{p}, Error);
}

TEST(Reconvergence, HammockMeetsAtTheJoin) {
  const isa::Program p = bare_kernel(std::string(kHead) +
                                     "IF: @%p0 bra ELSE;\nmov.u32 %r1, 1;\nbra JOIN;\nELSE: mov.u32 %r1, 2;\n"
                                     "JOIN: mov.u32 %r2, %r1;\nret;");
  const ControlFlow flow(p);
  EXPECT_EQ(reconvergence_blocks(p, flow, ExitRule::end_of_all)[0], block_at(p, flow, "JOIN"));
  EXPECT_EQ(reconvergence_blocks(p, flow, ExitRule::leave)[0], block_at(p, flow, "JOIN"));
}

TEST(Reconvergence, LoopExitMeetsBehindTheLoop) {
  const isa::Program p = bare_kernel(
      std::string(kHead) + "LOOP: add.u32 %r0, %r0, 1;\n@%p0 bra LOOP;\nAFTER: mov.u32 %r1, 1;\nret;");
  const ControlFlow flow(p);
  EXPECT_EQ(meets(p, flow, "LOOP"), block_at(p, flow, "AFTER"));
}

// On one side of the branch, some lanes return. The join does therefore not post-dominate the branch, but the
// other lanes must still reconverge at the join.
TEST(Reconvergence, EarlyReturnInsideAHammock) {
  const isa::Program p = bare_kernel(std::string(kHead) +
                                     "OUTER: @%p0 bra JOIN;\n"
                                     "INNER: setp.gt.u32 %p1, %r0, 7;\n@%p1 bra END;\nmov.u32 %r1, 1;\n"
                                     "JOIN: mov.u32 %r2, 2;\nbar.sync 0;\nEND: ret;");
  const ControlFlow flow(p);
  const int outer = 0;
  EXPECT_EQ(reconvergence_blocks(p, flow, ExitRule::end_of_all)[outer], block_at(p, flow, "END"));
  EXPECT_EQ(reconvergence_blocks(p, flow, ExitRule::leave)[outer], block_at(p, flow, "JOIN"));
  // With ExitRule::leave, lanes that have returned do not delay other lanes, so the reconvergence point is
  // directly after the branch.
  EXPECT_EQ(meets(p, flow, "INNER", ExitRule::leave), block_at(p, flow, "INNER") + 1);
}

TEST(Reconvergence, GuardedExit) {
  const isa::Program p =
      bare_kernel(std::string(kHead) +
                  "IF: @%p0 bra JOIN;\nsetp.gt.u32 %p1, %r0, 7;\n@%p1 exit;\nmov.u32 %r1, 1;\n"
                  "JOIN: mov.u32 %r2, 2;\nret;");
  const ControlFlow flow(p);
  EXPECT_EQ(reconvergence_blocks(p, flow, ExitRule::end_of_all)[0], kNoBlock);
  EXPECT_EQ(reconvergence_blocks(p, flow, ExitRule::leave)[0], block_at(p, flow, "JOIN"));
}

// A trap ends the whole kernel. A path to a trap must therefore not change where the lanes of other paths
// reconverge.
TEST(Reconvergence, ATrapHidesNoJoin) {
  const isa::Program p =
      bare_kernel(std::string(kHead) +
                  "ROUND: setp.eq.u32 %p1, %r0, 7;\n@%p0 bra JOIN;\n@%p1 bra WRONG;\n"
                  "add.u32 %r0, %r0, 1;\nJOIN: bar.sync 0;\n@%p2 bra ROUND;\nret;\nWRONG: trap;");
  const ControlFlow flow(p);
  const int join = block_at(p, flow, "JOIN");
  EXPECT_EQ(meets(p, flow, "ROUND", ExitRule::leave), join);
  std::size_t branch = 0;
  while (!p.code[branch].is_branch()) ++branch;
  EXPECT_EQ(reference::immediate_post_dominators(p)[branch],
            static_cast<std::int32_t>(flow.block(join).first));
}

TEST(Reconvergence, EndlessLoop) {
  const isa::Program p = bare_kernel(std::string(kHead) +
                                     "@%p0 bra SPIN;\nmov.u32 %r1, 1;\nbra END;\n"
                                     "SPIN: add.u32 %r0, %r0, 1;\n@%p0 bra SPIN;\nbra SPIN;\nEND: ret;");
  const ControlFlow flow(p);
  EXPECT_EQ(meets(p, flow, "SPIN"), kNoBlock);
  EXPECT_EQ(meets(p, flow, "SPIN", ExitRule::leave), kNoBlock);
}

TEST(Reconvergence, AgreesWithTheReferenceOnAllKernels) {
  int branches = 0;
  for (const std::string& folder : test::kernel_folders()) {
    const auto module =
        ptx::parse_module_file(test::repository_file("testbench/kernels/" + folder + "/kernel.ptx"));
    for (const auto& name : module->kernels()) {
      isa::Program p = ptx::lower_kernel(*module, name.mangled);
      set_reconvergence(p, ControlFlow(p), ExitRule::leave);
      const auto expected = reference::immediate_post_dominators(p);
      for (std::size_t n = 0; n < p.code.size(); ++n) {
        if (!p.code[n].is_branch() || !p.code[n].guard.present) continue;
        EXPECT_EQ(p.code[n].reconvergence, expected[n])
            << folder << " " << name.plain << " instruction " << n;
        ++branches;
      }
    }
  }
  EXPECT_GT(branches, 200);
}

}  // namespace
}  // namespace heddle::compiler
