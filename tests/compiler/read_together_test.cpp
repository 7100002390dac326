// Tests the analysis of registers that instructions read together. From its results, the compiler chooses the
// side of the row on which each register lies (left- or right-aligned), and the pairs of registers that share
// a row.

#include "models/compiler/analyses/read_together.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "models/compiler/i_compiler_pass.h"
#include "models/compiler/listing.h"
#include "models/compiler/verify.h"
#include "models/core/error.h"
#include "tests/compiler/compiler_harness.h"

namespace heddle::compiler {
namespace {

using Edges = std::vector<ReadTogether>;

double on_one_side(const std::vector<bool>& left, const Edges& edges) {
  double weight = 0;
  for (const ReadTogether& e : edges)
    if (left[e.a] == left[e.b]) weight += e.weight;
  return weight;
}

double least(std::uint32_t registers, const Edges& edges) {
  double best = 1e30;
  for (std::uint32_t sides = 0; sides < 1u << registers; ++sides) {
    std::vector<bool> left(registers);
    for (std::uint32_t r = 0; r < registers; ++r) left[r] = sides >> r & 1;
    best = std::min(best, on_one_side(left, edges));
  }
  return best;
}

TEST(ReadTogether, ATwoColourableGraphHasNothingOnOneSide) {
  const Edges ladder = {{0, 1, 8}, {2, 3, 8}, {1, 2, 4}, {0, 3, 2}, {3, 4, 1}};
  EXPECT_EQ(on_one_side(choose_sides(6, ladder), ladder), 0);
}

TEST(ReadTogether, OfATriangleTheLightestEdgeStaysOnOneSide) {
  const Edges triangle = {{0, 1, 8}, {1, 2, 4}, {0, 2, 2}};
  EXPECT_EQ(on_one_side(choose_sides(3, triangle), triangle), 2);
}

// Each pair of registers that are read together has a weight. choose_sides() places each register on one side
// of its row. The cost is the weight of all pairs whose two registers lie on the same side. This cost must be
// at most half of the total weight and, on small graphs, close to the minimum.
TEST(ReadTogether, SidesComeCloseToTheLeastWeight) {
  std::mt19937 random(3);
  double found = 0, best = 0, all = 0;
  for (int graph = 0; graph < 100; ++graph) {
    Edges edges;
    for (std::uint32_t a = 0; a < 9; ++a)
      for (std::uint32_t b = a + 1; b < 9; ++b)
        if (random() % 3 == 0) edges.push_back({a, b, static_cast<double>(1 + random() % 20)});
    std::stable_sort(edges.begin(), edges.end(), [](auto& x, auto& y) { return x.weight > y.weight; });
    const double weight = on_one_side(choose_sides(9, edges), edges);
    double total = 0;
    for (const ReadTogether& e : edges) total += e.weight;
    EXPECT_LE(weight, total / 2);
    found += weight;
    best += least(9, edges);
    all += total;
  }
  EXPECT_GE(found, best);
  EXPECT_LE(found - best, 0.05 * all);
}

TEST(ReadTogether, PairsAreTheHeaviestEachWithOnePartner) {
  constexpr std::uint16_t none = isa::RegisterHint::kNoPartner;
  const Edges edges = {{0, 1, 8}, {1, 2, 7}, {2, 3, 6}, {0, 3, 5}};
  EXPECT_EQ(choose_pairs(5, edges), (std::vector<std::uint16_t>{1, 0, 3, 2, none}));
}

const char* kLoop = R"(
    .reg .u32 %a, %b, %c; .reg .pred %p;
    ld.global.u32 %a, [%in]; mov.u32 %b, 0; mov.u32 %c, 0;
L:  add.u32 %c, %c, %a; add.u32 %b, %b, 1; setp.lt.u32 %p, %b, 4; @%p bra L;
    mul.lo.u32 %c, %c, %b; st.global.u32 [%out], %c;)";

// Reads inside a loop count ten times. The two words of a 64-bit operand count as read together.
TEST(ReadTogether, PassesWriteHintsThatTheVerifierAndTheListingKnow) {
  const isa::Program sides =
      test::expect_same(test::kernel(kLoop), test::with_passes({"register-sides", "register-pairs"}));
  const ControlFlow flow(sides);
  const Edges edges = read_together(sides, flow);
  ASSERT_FALSE(edges.empty());
  EXPECT_EQ(edges[0].weight, 11) << "the sum and a, in the loop; once before it, low words of two addresses";
  ASSERT_EQ(sides.register_hints.size(), sides.registers);
  const isa::RegisterHint &a = sides.register_hints[edges[0].a], &b = sides.register_hints[edges[0].b];
  EXPECT_NE(a.left, b.left);
  EXPECT_EQ(a.partner, edges[0].b);
  EXPECT_EQ(b.partner, edges[0].a);
  const std::string text = make_listing(sides);
  EXPECT_NE(text.find("at the left of their rows: r"), std::string::npos) << text;
  EXPECT_NE(text.find("sharing a row: r"), std::string::npos) << text;
  isa::Program odd = sides;
  odd.register_hints[edges[0].a].partner = static_cast<std::uint16_t>(edges[0].a);
  EXPECT_THROW(verify_program(odd), Error);
  odd = sides;
  odd.register_hints[edges[0].b].partner = isa::RegisterHint::kNoPartner;
  EXPECT_THROW(verify_program(odd), Error);
  odd = sides;
  odd.register_hints.pop_back();
  EXPECT_THROW(verify_program(odd), Error);
}

}  // namespace
}  // namespace heddle::compiler
