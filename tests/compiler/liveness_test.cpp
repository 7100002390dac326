// Tests the liveness of registers, for a thread and for a warp with divergent paths. Also tests the
// verifier's errors for values that are discarded too early.

#include "models/compiler/analyses/liveness.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "models/compiler/analyses/reconvergence.h"
#include "models/compiler/compilation_unit.h"
#include "models/compiler/verify.h"
#include "models/core/error.h"
#include "tests/compiler/compiler_harness.h"
#include "tests/compiler/compiler_random_program.h"
#include "tests/support/dice.h"

namespace heddle::compiler {
namespace {

struct Analysed {
  explicit Analysed(const std::string& body) : unit(test::bare_kernel(body)) {
    set_reconvergence(unit.edit(), ControlFlow(unit.program()), ExitRule::end_of_all);
  }
  std::uint32_t word(const std::string& name) const {
    const auto& names = unit.program().register_names;
    for (std::uint32_t w = 0; w < names.size(); ++w)
      if (names[w] == name || names[w] == name + ".lo") return w;
    ADD_FAILURE() << "no register " << name;
    return 0;
  }
  std::uint32_t predicate(const std::string& name) const {
    const auto& names = unit.program().predicate_names;
    for (std::uint32_t p = 0; p < names.size(); ++p)
      if (names[p] == name) return p;
    ADD_FAILURE() << "no predicate " << name;
    return 0;
  }
  std::size_t at(const std::string& label) const {
    const auto& labels = unit.program().labels;
    for (std::size_t n = 0; n < labels.size(); ++n)
      if (labels[n] == label) return n;
    ADD_FAILURE() << "no label " << label;
    return 0;
  }
  bool thread_before(const std::string& label, const std::string& name) {
    return unit.thread_liveness().word_before(at(label), word(name));
  }
  bool warp_before(const std::string& label, const std::string& name) {
    return unit.warp_liveness().word_before(at(label), word(name));
  }
  CompilationUnit unit;
};

constexpr const char* kRegisters = ".reg .b32 %r<10>;\n.reg .b64 %d<4>;\n.reg .pred %p<4>;\n";

std::string hammock(const std::string& condition) {
  return std::string(kRegisters) + condition +
         "mov.u32 %r1, 1;\nmov.u32 %r2, 2;\n"
         "BRANCH: @%p0 bra ELSE;\n"
         "THEN: add.u32 %r3, %r1, 1;\nTHEN2: mov.u32 %r1, 9;\nTHEN3: bra JOIN;\n"
         "ELSE: add.u32 %r3, %r1, %r2;\n"
         "JOIN: st.shared.u32 [0x1000000], %r3;\nret;";
}
constexpr const char* kDivergent = "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 5;\n";
constexpr const char* kUniform = "mov.u32 %r0, %ctaid.x;\nsetp.lt.u32 %p0, %r0, 5;\n";

TEST(ThreadLiveness, GuardedWriteKeepsTheOldValueAlive) {
  Analysed a(std::string(kRegisters) + kDivergent +
             "mov.u32 %r1, 1;\nA: @%p0 mov.u32 %r1, 2;\nB: mov.u32 %r2, 3;\nC: mov.u32 %r2, 4;\n"
             "D: st.shared.v2.u32 [0x1000000], {%r1, %r2};\nret;");
  EXPECT_TRUE(a.thread_before("A", "%r1"));
  EXPECT_FALSE(a.thread_before("B", "%r2"));
  EXPECT_FALSE(a.thread_before("C", "%r2"));
  EXPECT_TRUE(a.thread_before("D", "%r2"));
  EXPECT_TRUE(a.unit.thread_liveness().predicate_before(a.at("A"), a.predicate("%p0")));
  EXPECT_FALSE(a.unit.thread_liveness().predicate_after(a.at("A"), a.predicate("%p0")));
}

TEST(ThreadLiveness, PairsCountTwice) {
  Analysed a(std::string(kRegisters) +
             "ld.param.u64 %d0, [out];\nadd.s64 %d1, %d0, 8;\nX: st.global.u64 [%d0], %d1;\nret;");
  EXPECT_EQ(a.unit.thread_liveness().words_live_before(a.at("X")), 4);
  EXPECT_EQ(a.unit.thread_liveness().max_words(), 4);
  EXPECT_EQ(a.unit.thread_liveness().max_predicates(), 0);
}

// While the lanes of the then side execute, other lanes wait at the else side. They will read %r1 and %r2 on
// the else side.
TEST(WarpLiveness, TheOtherSideOfABranchKeepsItsValues) {
  Analysed a(hammock(kDivergent));
  EXPECT_FALSE(a.thread_before("THEN", "%r2"));
  EXPECT_TRUE(a.warp_before("THEN", "%r2"));
  EXPECT_FALSE(a.thread_before("THEN2", "%r1"));
  EXPECT_TRUE(a.warp_before("THEN2", "%r1"));
  EXPECT_TRUE(a.warp_before("THEN3", "%r1")) << "a masked write kills nothing";
  EXPECT_FALSE(a.warp_before("JOIN", "%r1"));
  EXPECT_FALSE(a.warp_before("JOIN", "%r2"));
  // While the lanes of the second side execute, lanes of the first side wait at the join, and their %r3 is
  // still needed.
  EXPECT_TRUE(a.warp_before("ELSE", "%r3"));
  EXPECT_FALSE(a.thread_before("ELSE", "%r3"));
}

TEST(WarpLiveness, AUniformBranchKeepsNothing) {
  Analysed a(hammock(kUniform));
  EXPECT_FALSE(a.warp_before("THEN", "%r2"));
  EXPECT_FALSE(a.warp_before("THEN3", "%r1"));
  EXPECT_FALSE(a.warp_before("ELSE", "%r3"));
}

TEST(WarpLiveness, LanesThatLeftALoopWaitBehindIt) {
  Analysed a(std::string(kRegisters) + kDivergent +
             "mov.u32 %r1, 7;\n"
             "LOOP: mov.u32 %r1, %r0;\nadd.u32 %r0, %r0, 1;\nsetp.lt.u32 %p0, %r0, 40;\n@%p0 bra LOOP;\n"
             "AFTER: st.shared.u32 [0x1000000], %r1;\nret;");
  EXPECT_FALSE(a.thread_before("LOOP", "%r1"));
  EXPECT_TRUE(a.warp_before("LOOP", "%r1")) << "lanes that have left the loop still need their %r1";
}

TEST(Divergence, SourcesAndControl) {
  Analysed a(std::string(kRegisters) + kDivergent +
             "mov.u32 %r1, %ctaid.x;\nadd.u32 %r2, %r1, 4;\nadd.u32 %r3, %r2, %r0;\n"
             "ld.shared.u32 %r4, [0x1000000];\nvote.sync.ballot.b32 %r5, %p0, -1;\n"
             "@%p0 bra JOIN;\nmov.u32 %r6, 1;\nJOIN: st.shared.v2.u32 [0x1000008], {%r5, %r6};\nret;");
  const Divergence& d = a.unit.divergence();
  EXPECT_FALSE(d.word_divergent(a.word("%r2")));
  EXPECT_TRUE(d.word_divergent(a.word("%r3")));
  EXPECT_FALSE(d.word_divergent(a.word("%r4"))) << "all lanes read one address";
  EXPECT_FALSE(d.word_divergent(a.word("%r5")));
  EXPECT_TRUE(d.word_divergent(a.word("%r6"))) << "only some lanes write it";
  EXPECT_TRUE(d.splits(0));
}

class Discards : public testing::Test {
 protected:
  static isa::Program marked(Analysed& a, const std::string& label, const std::string& name) {
    isa::Program program = a.unit.program();
    int found = 0;
    for (isa::Operand& o : program.code[a.at(label)].sources()) {
      if (!o.is_reg() || o.reg.value != a.word(name)) continue;
      o.annotation.last_use = true;
      ++found;
    }
    EXPECT_EQ(found, 1);
    return program;
  }
};

TEST_F(Discards, RejectedWhileTheOtherPathReads) {
  Analysed a(hammock(kDivergent));
  EXPECT_THROW(verify_program(marked(a, "THEN", "%r1")), Error);
  EXPECT_THROW(verify_after_pass("hints", marked(a, "THEN", "%r1")), InternalError);
  // Hardware may execute either side first, so a last-use mark on the ELSE side is also wrong.
  EXPECT_THROW(verify_program(marked(a, "ELSE", "%r1")), Error);
  EXPECT_NO_THROW(verify_program(marked(a, "ELSE", "%r2"))) << "only this side reads it";
  EXPECT_NO_THROW(verify_program(marked(a, "JOIN", "%r3")));
}

TEST_F(Discards, AcceptedWhereAllLanesAreTogether) {
  Analysed a(hammock(kUniform));
  EXPECT_NO_THROW(verify_program(marked(a, "THEN", "%r1")));
  EXPECT_NO_THROW(verify_program(marked(a, "ELSE", "%r2")));
}

TEST_F(Discards, RejectedUnderAGuardIfTheOthersReadLater) {
  Analysed a(std::string(kRegisters) + kDivergent +
             "mov.u32 %r1, 7;\nA: @%p0 add.u32 %r2, %r1, 1;\nB: @!%p0 add.u32 %r2, %r1, 2;\n"
             "st.shared.u32 [0x1000000], %r2;\nret;");
  EXPECT_THROW(verify_program(marked(a, "A", "%r1")), Error);
  EXPECT_NO_THROW(verify_program(marked(a, "B", "%r1")));
}

TEST_F(Discards, DeadResults) {
  Analysed a(hammock(kDivergent));
  isa::Program program = a.unit.program();
  program.code[a.at("THEN2")].dst[0].annotation.dead = true;
  EXPECT_THROW(verify_program(program), Error);
  Analysed b(hammock(kUniform));
  program = b.unit.program();
  program.code[b.at("THEN2")].dst[0].annotation.dead = true;
  EXPECT_NO_THROW(verify_program(program));
}

void expect_searches_of_their_own(const isa::Program& program) {
  const ControlFlow flow(program);
  const LiveSets thread(program, flow);
  const Divergence divergence(program, flow);
  const WarpLiveSets warp(program, flow, thread, divergence);
  const auto in = [&](int block, std::uint32_t word) {
    return block != kNoBlock && thread.word_before(flow.block(block).first, word);
  };
  const auto blocks = static_cast<std::size_t>(flow.size());
  std::vector<bool> partial(blocks);
  std::vector<std::set<std::uint32_t>> waiting(blocks);
  for (int b = 0; b < flow.size(); ++b) {
    if (!divergence.splits(b)) continue;
    const std::int32_t point = program.code[flow.block(b).end - 1].reconvergence;
    const int meet = point == isa::kNoTarget ? kNoBlock : flow.block_of(static_cast<std::size_t>(point));
    for (const int side : flow.block(b).successors) {
      const auto region = flow.reachable_without(side, meet);
      for (const int inside : std::vector<int>(region.begin(), region.end())) {
        partial[static_cast<std::size_t>(inside)] = true;
        for (std::uint32_t w = 0; w < program.registers; ++w) {
          bool waits = in(meet, w);
          for (const int other : flow.block(b).successors) waits = waits || (other != side && in(other, w));
          if (waits) waiting[static_cast<std::size_t>(inside)].insert(w);
        }
      }
    }
  }
  for (int b = 0; b < flow.size(); ++b) {
    ASSERT_EQ(divergence.partial(b), partial[static_cast<std::size_t>(b)]) << "block " << b;
    for (std::uint32_t w = 0; w < program.registers; ++w)
      ASSERT_EQ(warp.word_before(flow.block(b).first, w),
                in(b, w) || waiting[static_cast<std::size_t>(b)].count(w) > 0)
          << "register " << w << " before block " << b;
  }
}

TEST(SplitRegions, EndWhereOthersHaveBeenWithoutLoss) {
  fuzz::Dice dice(7);
  for (int n = 0; n < 400; ++n) {
    const std::string body = test::tangle(dice, 3 + dice.pick(24));
    SCOPED_TRACE(body);
    for (const ExitRule rule : {ExitRule::end_of_all, ExitRule::leave}) {
      CompilationUnit unit(test::bare_kernel(body));
      set_reconvergence(unit.edit(), ControlFlow(unit.program()), rule);
      expect_searches_of_their_own(unit.program());
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace heddle::compiler
