#include "models/reference/post_dominators.h"

#include <gtest/gtest.h>

#include <ctime>
#include <random>

#include "models/core/error.h"
#include "tests/reference/program_builder.h"

namespace heddle::reference::testing {
namespace {

TEST(PostDominators, OfADiamondIsItsJoin) {
  ProgramBuilder b;
  b.branch_if(p(0), "else");
  b.mov(r(0), imm(1));
  b.branch("join");
  b.label("else");
  b.mov(r(0), imm(2));
  b.label("join");
  b.mov(r(1), imm(3));
  b.exit();
  EXPECT_EQ(immediate_post_dominators(b.build()), (std::vector<std::int32_t>{4, 2, 4, 4, 5, isa::kNoTarget}));
}

// Two paths that meet only at an exit instruction count as two exits, so the lanes do not reconverge.
TEST(PostDominators, OfADiamondThatOnlyExitsIsItsLastPath) {
  ProgramBuilder b;
  b.branch_if(p(0), "else");
  b.mov(r(0), imm(1));
  b.branch("join");
  b.label("else");
  b.mov(r(0), imm(2));
  b.label("join");
  b.exit();
  EXPECT_EQ(immediate_post_dominators(b.build()), (std::vector<std::int32_t>{3, 2, 4, 4, isa::kNoTarget}));
}

TEST(PostDominators, AnEarlyReturnDoesNotHideTheJoin) {
  ProgramBuilder b;
  b.branch_if(p(0), "join");
  b.branch_if(p(1), "end");
  b.mov(r(0), imm(1));
  b.label("join");
  b.mov(r(0), imm(2));
  b.label("end");
  b.exit();
  const auto d = immediate_post_dominators(b.build());
  EXPECT_EQ(d[0], 3);
  EXPECT_EQ(d[1], 2);
}

TEST(PostDominators, OfALoopBranchIsTheCodeBehindTheLoop) {
  ProgramBuilder b;
  b.label("loop");
  b.mov(r(0), imm(1));
  b.branch_if(p(0), "loop");
  b.exit();
  EXPECT_EQ(immediate_post_dominators(b.build())[1], 2);
}

TEST(PostDominators, AGuardedExitIsNoWayOut) {
  ProgramBuilder b;
  b.branch_if(p(0), "other");
  ProgramBuilder::guard(b.exit(), p(1));
  b.label("other");
  b.mov(r(0), imm(2));
  b.exit();
  const auto d = immediate_post_dominators(b.build());
  EXPECT_EQ(d[0], 2);
  EXPECT_EQ(d[1], 2);
  EXPECT_EQ(d[2], 3);
}

TEST(PostDominators, ALoopWithoutAWayOutHasNone) {
  ProgramBuilder b;
  b.branch_if(p(0), "end");
  b.label("loop");
  b.branch_if(p(1), "loop");
  b.branch("loop");
  b.label("end");
  b.exit();
  const auto d = immediate_post_dominators(b.build());
  EXPECT_EQ(d[1], isa::kNoTarget);
  EXPECT_EQ(d[2], isa::kNoTarget);
}

TEST(PostDominators, RefusesPathsThatLeaveTheProgram) {
  ProgramBuilder b;
  b.mov(r(0), imm(1));
  EXPECT_THROW(immediate_post_dominators(b.build()), Error);
  ProgramBuilder c;
  c.branch("far");
  c.label("far");
  EXPECT_THROW(immediate_post_dominators(c.build()), Error);
}

// Computes post-dominators from their definition, for programs with one exit: d post-dominates n if every
// path from n to the exit contains d. The tests compare the algorithm with these results.
class Definition {
 public:
  explicit Definition(const isa::Program& program) : program_(program) {}

  bool reaches_end(std::size_t from, std::int64_t without) const {
    std::vector<bool> seen(program_.code.size(), false);
    std::vector<std::size_t> work{from};
    while (!work.empty()) {
      const std::size_t i = work.back();
      work.pop_back();
      if (static_cast<std::int64_t>(i) == without || seen[i]) continue;
      seen[i] = true;
      const Instruction& in = program_.code[i];
      if (in.op == Opcode::exit) return true;
      if (in.is_branch()) work.push_back(static_cast<std::size_t>(in.target));
      if (!in.is_branch() || in.guard.present) work.push_back(i + 1);
    }
    return false;
  }
  bool dominates(std::size_t d, std::size_t n) const {
    return d != n && reaches_end(n, -1) && !reaches_end(n, static_cast<std::int64_t>(d));
  }
  std::int32_t immediate(std::size_t n) const {
    for (std::size_t d = 0; d < program_.code.size(); ++d) {
      if (!dominates(d, n)) continue;
      bool closest = true;
      for (std::size_t e = 0; e < program_.code.size(); ++e)
        closest = closest && (e == d || !dominates(e, n) || dominates(e, d));
      if (closest) return static_cast<std::int32_t>(d);
    }
    return isa::kNoTarget;
  }

 private:
  const isa::Program& program_;
};

TEST(PostDominators, EqualTheirDefinitionOnRandomGraphsWithOneExit) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    const std::size_t size = 4 + random() % 14;
    ProgramBuilder b;
    for (std::size_t i = 0; i + 2 < size; ++i) {
      const auto kind = random() % 5;
      if (kind == 0)
        b.mov(r(0), imm(i));
      else if (kind == 2)
        b.branch(std::to_string(random() % size));
      else
        b.branch_if(p(0), std::to_string(random() % size));
    }
    b.mov(r(0), imm(1));
    b.exit();
    isa::Program& program = b.program();
    for (Instruction& i : program.code)
      if (i.is_branch()) i.target = static_cast<std::int32_t>(random() % (size - 1));
    const auto found = immediate_post_dominators(program);
    const Definition definition(program);
    for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(found[i], definition.immediate(i)) << round << " " << i;
  }
}

// A switch whose cases fall through, so the chain of cases can be entered at any case. The time of the
// analysis must not grow with the square of the number of cases.
TEST(PostDominators, OfALongSwitchCostNoSquare) {
  constexpr int kCases = 60000;
  ProgramBuilder b;
  for (int i = 0; i < kCases; ++i) b.branch_if(p(0), std::to_string(i));
  for (int i = 0; i < kCases; ++i) {
    b.label(std::to_string(i));
    b.mov(r(0), imm(1));
  }
  b.exit();
  const isa::Program& program = b.build();
  const std::clock_t begin = std::clock();
  const auto found = immediate_post_dominators(program);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 2.0)
      << "the square takes ten times as long";
  for (int i = 0; i < kCases; ++i) ASSERT_EQ(found[static_cast<std::size_t>(i)], 2 * kCases - 1);
}

}  // namespace
}  // namespace heddle::reference::testing
