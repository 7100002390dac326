// Tests which registers an instruction claims under the register throttle (Jeon 2015, 8.1). An instruction
// claims both words of a register pair. With an operand file, the first instruction of a strand claims all
// registers that the strand may write. In the tests, one bank has five entries, and a CTA is one warp with
// four registers. CTA 0 has claimed three entries, and needs one of the two free entries to end.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "models/compiler/analyses/reconvergence.h"
#include "models/core/registry.h"
#include "models/scheduler/i_issue_constraint.h"
#include "models/stages/register_claims.h"
#include "tests/regfile/stage_driver.h"
#include "tests/support/dice.h"

namespace heddle::throttle_claims_test {
namespace {

isa::Instruction writing(std::uint32_t reg, int bits, bool begins = false, bool ends = false) {
  isa::Instruction i = make_int_add();
  i.add_dst(isa::Operand::make_reg(RegId(reg), static_cast<std::uint8_t>(bits)));
  i.dst[0].annotation.write_levels = isa::level_bit(isa::kMainLevel);
  i.begins_strand = begins;
  i.ends_strand = ends;
  return i;
}

struct FiveEntries {
  isa::Program program;
  ClaimBook book;
  std::unique_ptr<IssueConstraint> throttle;
  std::array<WarpView, 8> views{};

  FiveEntries(std::vector<isa::Instruction> code, bool levels_above, const std::string& scope,
              const char* file = R"({"count":1,"entries":5})", std::span<const std::uint32_t> pinned = {})
      : book(banks(file), 8, false) {
    if (!pinned.empty()) book.pin(pinned, 2);
    program.code = std::move(code);
    program.registers = 4;
    book.set_kept_above(levels_above);
    book.program_begins(program);
    IssueConstraint::Context context{8, 2, 1, 1};
    throttle = Registry<IssueConstraint>::instance().make(
        parse_config_text(R"({"type":"register-throttle","scope":")" + scope + R"("})", "test"), context);
    const RegisterClaims* claims = &book;
    throttle->assembled({&claims, 1});
    for (std::uint32_t w = 0; w < 2; ++w) {
      views[w].cta = CtaSlot(w);
      book.warp_begins(WarpId(w), CtaSlot(w));
      throttle->cta_begins({CtaSlot(w), w, std::array{WarpId(w)}, 4});
    }
  }
  static BankParameters banks(const char* file = R"({"count":1,"entries":5})") {
    BankParameters banks;
    read_fields(parse_config_text(file, "test"), banks);
    return banks;
  }
  void issue(std::uint32_t warp, std::size_t n) { book.issued(WarpId(warp), program.code[n], kAllLanes); }
  bool passes(std::uint32_t warp, std::size_t n, bool bound = false) {
    std::array<const isa::Instruction*, 8> instructions{};
    instructions[warp] = &program.code[n];
    ConstraintView view;
    view.candidates = WarpSet::of(WarpId(warp));
    if (bound) view.bound = view.candidates;
    view.warps = views;
    view.instructions = instructions;
    return throttle->blocked(view).empty();
  }
};

TEST(ThrottleClaims, APairIsTwoRegistersAtOnce) {
  for (const char* scope : {"cta", "need"}) {
    FiveEntries s({writing(0, 64), writing(2, 32), writing(2, 64), writing(3, 32)}, false, scope);
    s.issue(0, 0);
    s.issue(0, 1);
    EXPECT_EQ(s.book.unclaimed()[0], 2);
    EXPECT_TRUE(s.passes(1, 3)) << "one stays for CTA 0";
    EXPECT_FALSE(s.passes(1, 2)) << "none would";
    EXPECT_TRUE(s.passes(0, 3));
    s.issue(1, 3);
    EXPECT_FALSE(s.passes(1, 1)) << "claimed in the same cycle";
    EXPECT_EQ(s.passes(1, 3), scope == std::string("need"))
        << "it writes what it has: held back only with its CTA";
  }
}

TEST(ThrottleClaims, AStrandsRegistersAreClaimedAtItsFirstInstruction) {
  for (const char* scope : {"cta", "need"}) {
    FiveEntries s({writing(0, 64, true), writing(2, 32, false, true), writing(2, 32, true),
                   writing(3, 32, false, true)},
                  true, scope);
    s.issue(0, 0);
    EXPECT_EQ(s.book.unclaimed()[0], 2) << "r0, r1, and r2 of the second instruction";
    EXPECT_FALSE(s.passes(1, 2)) << "r2 alone would leave one, r3 none";
    EXPECT_TRUE(s.passes(0, 1, true));
    s.issue(0, 1);
    EXPECT_TRUE(s.book.release(WarpId(0), RegId(1)));
    s.book.credit(CtaSlot(0), 0);
    EXPECT_FALSE(s.passes(1, 2)) << "CTA 0 may ask for two again, and three are free";
    s.book.warp_ends(WarpId(0), {});
    s.throttle->cta_ends(CtaSlot(0));
    ASSERT_TRUE(s.passes(1, 2));
    s.issue(1, 2);
    EXPECT_EQ(s.book.unclaimed()[0], 3) << "r2 and r3";
    EXPECT_TRUE(s.passes(1, 3, true)) << "a warp within its strand is never stopped";
    EXPECT_FALSE(s.book.claims_of(WarpId(1), s.program.code[3]).any());
  }
}

// Two CTAs have one bank each. Of the five entries of a bank, two are reserved for registers that are exempt
// from renaming. A CTA needs two of the other three entries of its bank.
TEST(ThrottleClaims, RegistersWithEntriesOfTheirOwnAreNoPartOfIt) {
  for (const char* scope : {"cta", "need"}) {
    FiveEntries s({writing(0, 64), writing(2, 64)}, false, scope, R"({"count":2,"entries":5,"layout":"wid"})",
                  std::array{2u, 2u});
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
      EXPECT_TRUE(s.passes(warp, 0));
      s.issue(warp, 0);
      EXPECT_TRUE(s.passes(warp, 1));
    }
    EXPECT_EQ(s.book.unclaimed()[0], 3) << "what is pinned is claimed by nobody";
    EXPECT_EQ(s.book.charged(CtaSlot(0))[0], 0);
    s.issue(0, 1);
    EXPECT_EQ(s.book.unclaimed()[0], 1);
    EXPECT_EQ(s.book.charged(CtaSlot(0))[0], 2);
  }
}

// Returns the registers that a warp may write from instruction `first` to the end of its strand. By
// definition, these are the registers written on all paths from `first` to the next strand end. If such a
// path reaches an instruction on one side of a branch, paths through the other side count too. Instruction i
// writes register i.
std::set<int> written_by_definition(const isa::Program& program, int first) {
  const auto& code = program.code;
  const auto next_of = [&](int n) {
    const isa::Instruction& i = code[static_cast<std::size_t>(n)];
    std::vector<int> next;
    if (i.op != isa::Opcode::exit && (!i.is_branch() || i.guard.present)) next.push_back(n + 1);
    if (i.is_branch()) next.push_back(i.target);
    return next;
  };
  const auto walk = [&](std::vector<int> open, int barrier, bool through) {
    std::set<int> seen;
    while (!open.empty()) {
      const int n = open.back();
      open.pop_back();
      if (n == barrier || !seen.insert(n).second) continue;
      if (!through && code[static_cast<std::size_t>(n)].ends_strand) continue;
      for (const int next : next_of(n)) open.push_back(next);
    }
    return seen;
  };
  std::vector<int> from{first};
  std::set<int> reached, opened;
  for (bool more = true; more;) {
    more = false;
    reached = walk(from, isa::kNoTarget, false);
    for (int b = 0; b < static_cast<int>(code.size()); ++b) {
      const isa::Instruction& i = code[static_cast<std::size_t>(b)];
      if (!i.is_branch() || !i.guard.present || opened.count(b)) continue;
      const std::set<int> sides = walk(next_of(b), i.reconvergence, true);
      if (std::none_of(sides.begin(), sides.end(), [&](int n) { return reached.count(n); })) continue;
      opened.insert(b);
      more = true;
      for (const int side : next_of(b)) from.push_back(side);
    }
  }
  return reached;
}

TEST(ThrottleClaims, AStrandClaimsWhatStandsOnTheSidesAroundIt) {
  fuzz::Dice dice(5);
  for (int round = 0; round < 150; ++round) {
    isa::Program program;
    const int size = 5 + dice.pick(30);
    for (int n = 0; n < size; ++n) {
      isa::Instruction i = writing(static_cast<std::uint32_t>(n), 32, n == 0, dice.chance(15));
      const int kind = dice.pick(12);
      if (kind == 11 || n + 1 == size) {
        i.op = isa::Opcode::exit;
      } else if (kind < 4) {
        i.op = isa::Opcode::bra;
        i.target = dice.pick(size);
        i.guard.present = kind > 0;
      }
      program.code.push_back(i);
    }
    program.registers = static_cast<std::uint32_t>(size);
    compiler::set_reconvergence(program, compiler::ControlFlow(program),
                                dice.chance(50) ? compiler::ExitRule::leave : compiler::ExitRule::end_of_all);
    ClaimBook book(FiveEntries::banks(), 8, false);
    book.set_kept_above(true);
    book.program_begins(program);
    for (int n = 0; n < size; ++n) {
      std::set<int> claimed;
      book.claims_of(WarpId(0), program.code[static_cast<std::size_t>(n)]).for_each([&](std::uint32_t r) {
        claimed.insert(static_cast<int>(r));
      });
      ASSERT_EQ(claimed, written_by_definition(program, n)) << "graph " << round << ", instruction " << n;
    }
  }
}

}  // namespace
}  // namespace heddle::throttle_claims_test
