// The throttle's rule for what an instruction claims at once (001, 8.1): both words of a pair; under a stage that keeps
// results of strands, whatever a strand may write, at its first instruction, and nothing within it. One bank of five
// entries, CTAs of one warp of four registers: CTA 0 has claimed three, so that two are free and one is kept for it.

#include <gtest/gtest.h>

#include <array>

#include "models/core/registry.h"
#include "models/regfile/register_claims.h"
#include "models/scheduler/i_issue_constraint.h"
#include "tests/regfile/stage_driver.h"

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

  FiveEntries(std::vector<isa::Instruction> code, bool levels_above, const std::string& scope)
      : book(banks(), 8, false) {
    program.code = std::move(code);
    program.registers = 4;
    book.set_levels_above(levels_above);
    book.program_begins(program);
    IssueConstraint::Context context{8, 2, 1, 1};
    throttle = Registry<IssueConstraint>::instance().make(
        parse_config_text(R"({"type":"register-throttle","scope":")" + scope + R"("})", "test"), context);
    const RegisterClaims* claims = &book;
    throttle->assembled({&claims, 1});
    for (std::uint32_t w = 0; w < 2; ++w) {
      views[w].cta = CtaSlot(w);
      book.warp_begins(WarpId(w), CtaSlot(w));
      throttle->cta_placed(CtaSlot(w), std::array{WarpId(w)}, 4);
    }
  }
  static BankParameters banks() {
    BankParameters banks;
    read_fields(parse_config_text(R"({"count":1,"entries":5})", "test"), banks);
    return banks;
  }
  void issue(std::uint32_t warp, std::size_t n) {
    book.issued(WarpId(warp), program.code[n], kAllLanes);
    throttle->issued(WarpId(warp), program.code[n], kAllLanes);
  }
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
    s.throttle->warp_ended(WarpId(0));
    s.throttle->cta_ended(CtaSlot(0));
    ASSERT_TRUE(s.passes(1, 2));
    s.issue(1, 2);
    EXPECT_EQ(s.book.unclaimed()[0], 3) << "r2 and r3";
    EXPECT_TRUE(s.passes(1, 3, true)) << "a warp within its strand is never stopped";
    EXPECT_FALSE(s.book.claims_of(WarpId(1), s.program.code[3]).any());
  }
}

}  // namespace
}  // namespace heddle::throttle_claims_test
