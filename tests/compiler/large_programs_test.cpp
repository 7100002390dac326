// Compiles programs that are far larger than real kernels. Memory and run time of the compiler's analyses
// must grow with the size of the program, not with its square.

#include <gtest/gtest.h>

#include <array>

#include "models/compiler/analyses/block_liveness.h"
#include "models/compiler/analyses/interference.h"
#include "models/compiler/analyses/reconvergence.h"
#include "models/compiler/analyses/split_regions.h"
#include "models/compiler/analyses/variable_access.h"
#include "models/compiler/analyses/warp_flow.h"
#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/register_pressure.h"
#include "tests/compiler/compiler_harness.h"

namespace heddle::compiler::large_programs_test {
namespace {

using test::expect_same;
using test::kernel;
using test::limits;

std::string number(int n) { return std::to_string(n); }

std::string declare(int registers) {
  return ".reg .b32 %r<" + number(registers) + ">;\n.reg .pred %p<" + number(registers) + ">;\n";
}

std::string if_chain(int n) {
  std::string body = declare(n + 2) + "mov.u32 %r0, 0;\n";
  for (int i = 0; i < n; ++i)
    body += "setp.gt.u32 %p" + number(i) + ", %gid, " + number(i) + ";\n@%p" + number(i) + " bra L" +
            number(i) + ";\nadd.u32 %r0, %r0, " + number(i) + ";\nL" + number(i) + ":\n";
  return body + "st.global.u32 [%out], %r0;\n";
}

std::string nested_loops(int n) {
  std::string body = declare(n + 2) + "mov.u32 %r0, 0;\n";
  for (int i = 0; i < n; ++i) body += "L" + number(i) + ":\nadd.u32 %r0, %r0, 1;\n";
  for (int i = n - 1; i >= 0; --i)
    body += "setp.lt.u32 %p" + number(i) + ", %r0, " + number(i % 7) + ";\n@%p" + number(i) + " bra L" +
            number(i) + ";\n";
  return body + "st.global.u32 [%out], %r0;\n";
}

std::string early_exits(int n) {
  std::string body = declare(n + 2);
  for (int i = 0; i < n; ++i)
    body += "setp.eq.u32 %p" + number(i) + ", %gid, " + number(i) + ";\n@%p" + number(i) + " bra OUT;\n";
  return body + "st.global.u32 [%out], %gid;\nOUT:\n";
}

std::string all_live(int n) {
  std::string body = declare(n + 1);
  for (int i = 0; i < n; ++i) body += "add.u32 %r" + number(i) + ", %gid, " + number(i) + ";\n";
  body += "mov.u32 %r" + number(n) + ", 0;\n";
  for (int i = 0; i < n; ++i)
    body += "xor.b32 %r" + number(n) + ", %r" + number(n) + ", %r" + number(i) + ";\n";
  return body + "st.global.u32 [%out], %r" + number(n) + ";\n";
}

std::string nested_ifs(int n) {
  std::string body = declare(n + 2) + "mov.u32 %r0, 0;\n";
  for (int i = 0; i < n; ++i)
    body += "setp.gt.u32 %p" + number(i) + ", %gid, " + number(i) + ";\n@%p" + number(i) + " bra L" +
            number(i) + ";\nadd.u32 %r0, %r0, " + number(i) + ";\n";
  for (int i = n - 1; i >= 0; --i) body += "L" + number(i) + ":\nadd.u32 %r0, %r0, 1;\n";
  return body + "st.global.u32 [%out], %r0;\n";
}

// Each case of a switch falls through to the next. The comparisons are in reverse order, so the two sides of
// each branch lie within the sides of the previous branch. Only the cases before the last one read %r1.
std::string falling_cases(int n) {
  std::string body = declare(n + 2) + "mov.u32 %r0, 0;\nmov.u32 %r1, %gid;\n";
  for (int i = n - 1; i >= 0; --i)
    body += "setp.eq.u32 %p" + number(i) + ", %gid, " + number(i) + ";\n@%p" + number(i) + " bra C" +
            number(i) + ";\n";
  for (int i = 0; i < n - 1; ++i) body += "C" + number(i) + ":\nadd.u32 %r0, %r0, %r1;\n";
  return body + "C" + number(n - 1) + ":\nst.global.u32 [%out], %r0;\n";
}

std::string cases(int n) {
  std::string body = declare(n + 2) + "mov.u32 %r0, 0;\n";
  for (int i = 0; i < n; ++i)
    body += "setp.eq.u32 %p" + number(i) + ", %gid, " + number(i) + ";\n@%p" + number(i) + " bra C" +
            number(i) + ";\n";
  body += "bra OUT;\n";
  for (int i = 0; i < n; ++i) body += "C" + number(i) + ":\nadd.u32 %r0, %r0, " + number(i) + ";\nbra OUT;\n";
  return body + "OUT:\nst.global.u32 [%out], %r0;\n";
}

struct Analysed {
  explicit Analysed(const std::string& body, RegisterClass c = RegisterClass::general)
      : program(kernel(body)),
        flow(program),
        cls(c),
        variables(find_variables(program, c)),
        temporaries{std::vector<bool>(variables.size.size() + program.registers + program.predicates),
                    std::vector<bool>(variables.size.size() + program.registers + program.predicates)},
        live(variable_liveness(program, flow, VariableAccess(variables, c, temporaries.fresh))) {}
  std::vector<int> relief(int registers) const {
    return relieve_pressure(program, flow, variables, cls, temporaries, registers);
  }
  isa::Program program;
  ControlFlow flow;
  RegisterClass cls;
  Variables variables;
  Temporaries temporaries;
  BlockLiveness live;
};

TEST(LargePrograms, BlocksAreLookedAtAFewTimes) {
  for (const std::string& body : {if_chain(2000), nested_loops(2000), early_exits(2000)}) {
    const Analysed a(body);
    EXPECT_LE(a.live.visits(), 4u * static_cast<std::uint64_t>(a.flow.size()));
  }
}

TEST(LargePrograms, RegionsOfBranchesAreWalkedOnce) {
  for (const std::string& body : {if_chain(2000), nested_loops(2000), nested_ifs(2000), cases(2000)}) {
    isa::Program program = kernel(body);
    const ControlFlow flow(program);
    set_reconvergence(program, flow, ExitRule::leave);
    SplitRegions regions(program, flow);
    std::size_t visits = 0, marks = 0;
    for (const int b : regions.outer_first()) {
      if (!program.code[flow.block(b).end - 1].guard.present) continue;
      const std::int32_t point = program.code[flow.block(b).end - 1].reconvergence;
      const int meet = point == isa::kNoTarget ? kNoBlock : flow.block_of(static_cast<std::size_t>(point));
      for (const int side : flow.block(b).successors)
        regions.visit(
            b, side, meet, [&](int, std::size_t, bool) { ++marks; },
            [&](int, std::size_t) {
              ++visits;
              return true;
            });
    }
    EXPECT_GE(marks, 2000u);
    EXPECT_LE(marks + visits, 4 * static_cast<std::size_t>(flow.size()));
  }
}

// Visits regions from the outermost branch inwards, as analyses do. The first visit brings one fact (bit 0)
// to each block. Later visits bring a second fact (bit 1), so they must visit the same blocks again, but each
// block only a few times.
TEST(LargePrograms, RegionsThatEndElsewhereAreWalkedAFewTimes) {
  isa::Program program = kernel(falling_cases(2000));
  const ControlFlow flow(program);
  set_reconvergence(program, flow, ExitRule::leave);
  SplitRegions regions(program, flow);
  std::vector<std::array<unsigned, SplitRegions::kRemembered>> brought(static_cast<std::size_t>(flow.size()));
  std::size_t steps = 0;
  unsigned bits = 1;
  for (const int b : regions.outer_first()) {
    const isa::Instruction& last = program.code[flow.block(b).end - 1];
    if (!last.guard.present) continue;
    for (const int side : flow.block(b).successors)
      regions.visit(
          b, side, flow.meeting_of(last),
          [&](int n, std::size_t search, bool anew) {
            ++steps;
            unsigned& known = brought[static_cast<std::size_t>(n)][search];
            known = anew ? bits : known | bits;
          },
          [&](int n, std::size_t search) {
            ++steps;
            return (brought[static_cast<std::size_t>(n)][search] & bits) == bits;
          });
    bits = 3;
  }
  EXPECT_GE(steps, 4000u);
  EXPECT_LE(steps, 6 * static_cast<std::size_t>(flow.size()));
}

TEST(LargePrograms, EdgesOfTheWarpAreAFewABlock) {
  for (const std::string& body : {if_chain(2000), early_exits(2000), nested_ifs(2000), cases(2000)}) {
    isa::Program program = kernel(body);
    const ControlFlow flow(program);
    set_reconvergence(program, flow, ExitRule::leave);
    const WarpFlow warp(program, flow, Divergence(program, flow));
    EXPECT_GE(warp.splits().size(), 1999u);
    std::size_t edges = 0;
    for (int n = 0; n < warp.size(); ++n) edges += warp.predecessors(n).size();
    EXPECT_LE(edges, 6 * static_cast<std::size_t>(flow.size()));
  }
}

TEST(LargePrograms, ValuesOfOneBlockTakeNoPlaceInTheSets) {
  EXPECT_EQ(Analysed(if_chain(2000), RegisterClass::predicate).live.bits(), 0u);
  EXPECT_LE(Analysed(if_chain(2000)).live.bits(), 8u);
  EXPECT_EQ(Analysed(all_live(2000)).live.bits(), 0u);
}

TEST(LargePrograms, LoopDepthIsThatOfTheNest) {
  const Analysed a(nested_loops(2000));
  int deepest = 0;
  for (const BasicBlock& b : a.flow.blocks()) deepest = std::max(deepest, b.loop_depth);
  EXPECT_EQ(deepest, 2000);
  EXPECT_TRUE(a.flow.dominates(1, 2000));
  EXPECT_FALSE(a.flow.dominates(2000, 1));
}

TEST(LargePrograms, EveryEarlyExitLeavesTheOthersAlone) {
  const Analysed a(early_exits(3000));
  const std::vector<int> meets = reconvergence_blocks(a.program, a.flow, ExitRule::leave);
  for (int b = 0; b < 3000; ++b)
    ASSERT_EQ(meets[static_cast<std::size_t>(b)], b + 1) << "lanes that stay go on behind branch " << b;
}

TEST(LargePrograms, SmallGraphsAreNeverRelieved) {
  EXPECT_TRUE(Analysed(all_live(1000)).relief(63).empty());
  EXPECT_TRUE(Analysed(if_chain(5000)).relief(63).empty());
}

TEST(LargePrograms, WhatCannotStayIsSpilledBeforeTheGraphIsBuilt) {
  const Analysed a(all_live(6000));
  const std::vector<int> chosen = a.relief(63);
  EXPECT_GE(chosen.size(), 6000u - 63u);
  EXPECT_LE(chosen.size(), 6000u);
}

TEST(LargePrograms, ResultsAreThoseOfTheProgramAsWritten) {
  for (const std::string& body :
       {if_chain(1500), nested_loops(300), early_exits(100), falling_cases(400), all_live(5000)}) {
    const isa::Program p = expect_same(kernel(body), limits(63));
    EXPECT_LE(p.registers, 63u);
  }
}

// 5000 instructions in a row, and 3000 branches, in which nothing ends a strand (instructions between two
// points at which a warp may be descheduled). The compiler must cut strands after 2048 instructions, because
// the time to allocate entries grows with the square of a strand's length.
TEST(LargePrograms, StrandsEndBeforeTheyGrowLong) {
  std::string straight = declare(4) + "mov.u32 %r0, %gid;\n";
  for (int i = 0; i < 5000; ++i)
    straight += "add.u32 %r" + number((i + 1) % 3) + ", %r" + number(i % 3) + ", %gid;\n";
  straight += "st.global.u32 [%out], %r2;\n";
  for (const std::string& body : {straight, if_chain(3000)}) {
    const isa::Program p =
        expect_same(kernel(body), test::with_passes({"fold-parameters", "strands", "operand-file"}));
    int length = 0, longest = 0, cuts = 0;
    for (const isa::Instruction& i : p.code) {
      longest = std::max(longest, ++length);
      if (!i.ends_strand) continue;
      cuts += length == 2048;
      length = 0;
    }
    EXPECT_LE(longest, 2049) << "a branch does not end a strand, the instruction behind it does";
    EXPECT_GE(cuts, 2);
  }
}

TEST(LargePrograms, RegisterHierarchyAndReleaseFlagsTakeDeepNests) {
  for (const std::string& body : {nested_ifs(1500), cases(1500)}) {
    expect_same(kernel(body), test::with_passes({"fold-parameters", "strands", "operand-file"}));
    expect_same(kernel(body), test::with_passes({"fold-parameters", "release-flags"}));
  }
}

// Each result is read only by the next instruction, and no instruction reads the last result. One pass must
// remove all of these instructions.
TEST(LargePrograms, DeadChainsGoAtOnce) {
  std::string body = declare(2) + "mov.u32 %r0, %gid;\n";
  for (int i = 0; i < 3000; ++i) body += "add.u32 %r0, %r0, 1;\n";
  body += "mov.u32 %r0, 7;\nst.global.u32 [%out], %r0;\n";
  const isa::Program p = expect_same(kernel(body), limits(63));
  EXPECT_LT(p.code.size(), 20u);
}

}  // namespace
}  // namespace heddle::compiler::large_programs_test
