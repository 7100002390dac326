// Tests in which lanes threads execute with folding and lane shifting. Compares with the paper's figures,
// with the paper's rules for all masks of 8 lanes, and checks invariants for masks of 32 lanes.

#include <gtest/gtest.h>

#include <random>

#include "models/exec/lane_fold.h"

namespace heddle {
namespace {

struct Planned {
  LanePlan storage;
  const LanePlan* plan;
  Planned(LaneMask threads, const FoldRules& rules) : plan(fold_plan(threads, rules, storage)) {}
};

LaneMask threads_of(const LanePass& pass) {
  LaneMask threads = 0;
  for (LaneMask rest = pass.lanes; rest; rest &= rest - 1)
    threads |= LaneMask{1} << pass.thread_of(std::countr_zero(rest));
  return threads;
}

constexpr FoldRules kPack = {false, true, false}, kFold = {true, false, false},
                    kFoldAndPack = {true, true, false}, kRank = {true, true, true};

// Threads must shift to other lanes as in Abdel-Majeed 2016, Fig. 4.6b to 4.6c. The figures show lane 0 at
// the left.
TEST(LaneFold, ShiftsAsTheFigureDoes) {
  const Planned a(0x2b, kPack);
  ASSERT_NE(a.plan, nullptr);
  EXPECT_EQ(a.plan->passes, 1);
  EXPECT_EQ(a.plan->pass[0].lanes, 0x17u);
  EXPECT_EQ(a.plan->pass[0].thread_of(2), 3);
  EXPECT_EQ(a.plan->pass[0].thread_of(4), 5);
  EXPECT_EQ(a.plan->moved(), 2);
  EXPECT_EQ(Planned(0x2e, kPack).plan->pass[0].lanes, 0x17u);
  EXPECT_EQ(Planned(0xac, kPack).plan->pass[0].lanes, 0x33u);
  EXPECT_EQ(Planned(0x6e, kPack).plan->pass[0].lanes, 0x37u);
  EXPECT_EQ(Planned(0xff, kPack).plan, nullptr) << "the identity";
  EXPECT_EQ(Planned(kAllLanes, kPack).plan, nullptr);
}

// Abdel-Majeed 2016, Fig. 4.7: a full warp folds onto half of the lanes of every quad.
TEST(LaneFold, FoldsAFullMaskOntoHalfOfEveryQuad) {
  for (const FoldRules& rules : {kFold, kFoldAndPack, kRank})
    for (const LaneMask all : {LaneMask{0xff}, kAllLanes}) {
      const Planned p(all, rules);
      ASSERT_NE(p.plan, nullptr);
      ASSERT_EQ(p.plan->passes, 2);
      EXPECT_EQ(threads_of(p.plan->pass[0]), 0x33333333u & all);
      EXPECT_EQ(threads_of(p.plan->pass[1]), 0xccccccccu & all);
      EXPECT_EQ(p.plan->pass[0].lanes, 0x33333333u & all);
      EXPECT_EQ(p.plan->pass[1].lanes, 0x33333333u & all);
      EXPECT_EQ(p.plan->pass[0].moved, 0);
      EXPECT_EQ(p.plan->pass[1].moved, count_lanes(all) / 2);
    }
}

TEST(LaneFold, SplitsByPositionThenPacks) {
  const Planned fold(0x2b, kFold), both(0x2b, kFoldAndPack);
  for (const Planned* p : {&fold, &both}) {
    ASSERT_EQ(p->plan->passes, 2);
    EXPECT_EQ(threads_of(p->plan->pass[0]), 0x23u);
    EXPECT_EQ(threads_of(p->plan->pass[1]), 0x08u);
  }
  EXPECT_EQ(fold.plan->pass[0].lanes, 0x23u);
  EXPECT_EQ(fold.plan->pass[1].lanes, 0x02u);
  EXPECT_EQ(both.plan->pass[0].lanes, 0x13u);
  EXPECT_EQ(both.plan->pass[1].lanes, 0x01u);
}

TEST(LaneFold, SplitsByRank) {
  const Planned p(0x2e, kRank);
  ASSERT_EQ(p.plan->passes, 2);
  EXPECT_EQ(threads_of(p.plan->pass[0]), 0x26u);
  EXPECT_EQ(p.plan->pass[0].lanes, 0x13u);
  EXPECT_EQ(threads_of(p.plan->pass[1]), 0x08u);
  EXPECT_EQ(p.plan->pass[1].lanes, 0x01u);
  EXPECT_EQ(Planned(0xcc, kRank).plan->passes, 1) << "two threads a quad, wherever they are";
}

// If one of the two passes of a folded warp would have no threads, there is only one pass (Abdel-Majeed 2016,
// 4.3.3). A warp with only threads 0 to 15 still needs two passes, because folding divides every quad.
TEST(LaneFold, AvoidsAnEmptyPass) {
  for (const FoldRules& rules : {kFold, kFoldAndPack})
    for (const LaneMask one : {0x33333333u, 0xccccccccu, 0x11111111u}) {
      const Planned p(one, rules);
      ASSERT_NE(p.plan, nullptr);
      EXPECT_EQ(p.plan->passes, 1) << one;
      EXPECT_TRUE(p.plan->window);
      EXPECT_EQ(p.plan->lanes() & kUpperOfQuads, 0u);
      EXPECT_EQ(threads_of(p.plan->pass[0]), one);
    }
  const Planned half(0x0000ffffu, kFold);
  ASSERT_EQ(half.plan->passes, 2);
  EXPECT_EQ(half.plan->pass[0].lanes, 0x00003333u);
  EXPECT_EQ(half.plan->pass[1].lanes, 0x00003333u);
}

/// Pass and lane in which a thread must execute by the paper's rules. Pass -1: the thread does not execute.
struct Place {
  int pass = -1, lane = -1;
};
Place place_of(unsigned mask, int thread, const FoldRules& rules) {
  if (!(mask >> thread & 1)) return {};
  const int quad = thread / 4 * 4, position = thread % 4;
  int before = 0, before_in_half = 0;
  for (int t = quad; t < thread; ++t) {
    before += mask >> t & 1;
    if (t % 4 / 2 == position / 2) before_in_half += mask >> t & 1;
  }
  if (!rules.fold) return {0, rules.pack ? quad + before : thread};
  if (rules.by_rank) return {before / 2, quad + before % 2};
  return {position / 2, quad + (rules.pack ? before_in_half : position % 2)};
}

TEST(LaneFold, EveryMaskOfEightLanes) {
  for (unsigned number = 0; number < 8; ++number) {
    const FoldRules rules = fold_detail::rules_of(number);
    for (unsigned mask = 1; mask < 256; ++mask) {
      LanePlan identity;
      for (int t = 0; t < 8; ++t)
        if (mask >> t & 1) identity.pass[0].add(t, t);
      const Planned planned(mask, rules);
      const LanePlan& plan = planned.plan ? *planned.plan : identity;
      LaneMask passes[2] = {0, 0}, lanes = 0;
      int moved = 0;
      for (int t = 0; t < 8; ++t) {
        const Place place = place_of(mask, t, rules);
        if (place.pass < 0) continue;
        passes[place.pass] |= LaneMask{1} << t;
        lanes |= LaneMask{1} << place.lane;
        moved += place.lane != t;
      }
      const bool two = passes[0] && passes[1];
      ASSERT_EQ(plan.passes, two ? 2 : 1) << mask << " " << number;
      for (int t = 0; t < 8; ++t) {
        const Place place = place_of(mask, t, rules);
        if (place.pass < 0) continue;
        const LanePass& pass = plan.pass[two ? static_cast<std::size_t>(place.pass) : 0];
        ASSERT_TRUE(pass.lanes >> place.lane & 1) << mask << " " << number;
        ASSERT_EQ(pass.thread_of(place.lane), t) << mask << " " << number;
      }
      ASSERT_TRUE(plan.serves(mask)) << mask << " " << number;
      ASSERT_EQ(plan.lanes(), lanes) << mask << " " << number;
      ASSERT_EQ(plan.moved(), moved) << mask << " " << number;
      ASSERT_EQ(fold_lanes(mask, rules), lanes) << mask << " " << number;
    }
  }
}

TEST(LaneFold, MasksOfThirtyTwoLanes) {
  std::mt19937 random(7);
  for (int n = 0; n < 20000; ++n) {
    const FoldRules rules = fold_detail::rules_of(static_cast<unsigned>(n % 8));
    LaneMask threads = static_cast<LaneMask>(random());
    if (n % 3 == 1) threads &= static_cast<LaneMask>(random());
    if (n % 3 == 2) threads |= static_cast<LaneMask>(random());
    if (!threads) continue;
    const Planned planned(threads, rules);
    const LaneMask lanes = fold_lanes(threads, rules);
    if (planned.plan) {
      ASSERT_TRUE(planned.plan->serves(threads));
      ASSERT_EQ(planned.plan->lanes(), lanes);
      for (int p = 0; p < planned.plan->passes; ++p)
        for (LaneMask rest = planned.plan->pass[static_cast<std::size_t>(p)].lanes; rest; rest &= rest - 1) {
          const int lane = std::countr_zero(rest);
          ASSERT_EQ(planned.plan->pass[static_cast<std::size_t>(p)].thread_of(lane) / kQuad, lane / kQuad);
        }
    } else {
      ASSERT_EQ(lanes, threads);
    }
    ASSERT_EQ(rules.fold ? lanes & kUpperOfQuads : 0, 0u);
    // If a guard disables some threads, the remaining threads need no additional lanes.
    const LaneMask fewer = threads & static_cast<LaneMask>(random());
    ASSERT_EQ(fewer ? fold_lanes(fewer, rules) & ~lanes : 0, 0u) << threads << " " << fewer;
  }
}

}  // namespace
}  // namespace heddle
