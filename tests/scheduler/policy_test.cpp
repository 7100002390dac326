#include <gtest/gtest.h>

#include "tests/scheduler/policy_rig.h"

namespace heddle {
namespace {

using Warps = std::vector<std::uint32_t>;

TEST(Lrr, GoesRoundTheReadyWarps) {
  PolicyRig rig("\"lrr\"");
  EXPECT_EQ(rig.choose(0b1011), Warps{0});
  EXPECT_EQ(rig.choose(0b1011), Warps{1});
  EXPECT_EQ(rig.choose(0b1011), Warps{3});
  EXPECT_EQ(rig.choose(0b1011), Warps{0});
  EXPECT_EQ(rig.choose(0), Warps{});
  EXPECT_EQ(rig.choose(0b0001), Warps{0});
}

TEST(Lrr, WrapsBehindTheLastSlot) {
  PolicyRig rig("\"lrr\"", WarpSet::all());
  const WarpSet last = WarpSet::of(WarpId(63)), both = last | 1;
  EXPECT_EQ(rig.choose(last), Warps{63});
  EXPECT_EQ(rig.choose(both), Warps{0});
  EXPECT_EQ(rig.choose(both), Warps{63});
}

TEST(Lrr, PairsAWarpOnlyWhereItsSecondInstructionMayGo) {
  PolicyRig rig("\"lrr\"", 0xff, 2);
  EXPECT_EQ(rig.choose(0b111, 0b001), (Warps{0, 0}));
  EXPECT_EQ(rig.choose(0b111, 0b001), (Warps{1, 2}));
  EXPECT_EQ(rig.choose(0b010, 0b000), Warps{1});
}

TEST(Gto, StaysThenTakesTheOldest) {
  PolicyRig rig("\"gto\"");
  rig.warps[5].age = 0;
  rig.warps[0].age = 9;
  EXPECT_EQ(rig.choose(0b100011), Warps{5});
  EXPECT_EQ(rig.choose(0b100011), Warps{5});
  EXPECT_EQ(rig.choose(0b000011), Warps{1});
  EXPECT_EQ(rig.choose(0b100011), Warps{1}) << "greedy: an older one that comes back waits";
  EXPECT_EQ(rig.choose(0b100001), Warps{5});
}

TEST(Gto, SecondSlotGoesToTheNextOldest) {
  PolicyRig rig("\"gto\"", 0xff, 2);
  EXPECT_EQ(rig.choose(0b1110, 0), (Warps{1, 2}));
  EXPECT_EQ(rig.choose(0b1110, 0b0110), (Warps{1, 1})) << "greedy: the first pick stays";
  EXPECT_EQ(rig.choose(0b1100, 0b0110), (Warps{2, 2}));
}

TEST(Gto, ASlotsNextWarpIsNotGreedy) {
  PolicyRig rig("\"gto\"");
  EXPECT_EQ(rig.choose(0b0100), Warps{2});
  rig.policy->on_warp_end(WarpId(2));
  rig.warps[2].age = 20;
  EXPECT_EQ(rig.choose(0b1100), Warps{3});
}

TEST(FetchGroup, LeavesAGroupOnlyWhenNoneOfItIsReady) {
  PolicyRig rig(R"({"type": "fetch-group", "group_warps": 4})");
  EXPECT_EQ(rig.choose(0xff), Warps{0});
  EXPECT_EQ(rig.choose(0xff), Warps{1});
  EXPECT_EQ(rig.choose(0xf1), Warps{0});
  EXPECT_EQ(rig.choose(0xf0), Warps{4});
  EXPECT_EQ(rig.choose(0xff), Warps{5}) << "the second group keeps its turn";
  EXPECT_EQ(rig.choose(0x0f), Warps{0});
}

TEST(FetchGroup, GroupsAreOfTheSchedulersOwnWarps) {
  PolicyRig rig(R"({"type": "fetch-group", "group_warps": 2})", 0b01010101);
  EXPECT_EQ(rig.choose(0b01010101), Warps{0});
  EXPECT_EQ(rig.choose(0b01010101), Warps{2});
  EXPECT_EQ(rig.choose(0b01010101), Warps{0});
  EXPECT_EQ(rig.choose(0b01010000), Warps{4});
}

TEST(Wanting, IsWhatWouldIssueWereAllUnitsAwake) {
  for (const char* policy : {R"("lrr")", R"({"type": "two-level", "active_warps": 8})"}) {
    PolicyRig rig(policy, 0xff, 2);
    for (std::size_t w = 4; w < 8; ++w) rig.warps[w].unit = isa::UnitClass::fp;
    rig.view.unit_unavailable = 0xf0;
    EXPECT_EQ(rig.choose(0x0f), (Warps{0, 1}));
    EXPECT_EQ(rig.policy->wanting(rig.view), 0b00000011u) << policy << ": both slots go to INT";
    EXPECT_EQ(rig.policy->able(rig.view), 0xffu);
    EXPECT_EQ(rig.choose(0x08), (Warps{3}));
    EXPECT_EQ(rig.policy->wanting(rig.view), 0b00011000u) << policy << ": the next in turn is FP";
    EXPECT_EQ(rig.choose(0x0f), (Warps{0, 1}));
    EXPECT_EQ(rig.policy->wanting(rig.view), 0b00110011u)
        << policy << ": two of FP before the turn comes round";
  }
  PolicyRig gto("\"gto\"", 0xff, 1);
  gto.view.unit_unavailable = 0b1;
  EXPECT_EQ(gto.choose(0b110), (Warps{1}));
  EXPECT_EQ(gto.policy->wanting(gto.view), 0b11u) << "the oldest";
  EXPECT_EQ(gto.choose(0b110), (Warps{1}));
  EXPECT_EQ(gto.policy->wanting(gto.view), 0b10u) << "it stays with the greedy one";
}

TEST(TwoLevel, OnlyActiveWarpsIssue) {
  PolicyRig rig(R"({"type": "two-level", "active_warps": 2})");
  EXPECT_EQ(rig.choose(0xff), Warps{0});
  EXPECT_EQ(rig.policy->active(), 0b11u);
  EXPECT_TRUE(rig.again) << "the active set changed";
  EXPECT_EQ(rig.choose(0xff), Warps{1});
  EXPECT_FALSE(rig.again);
  EXPECT_EQ(rig.choose(0xfc), Warps{}) << "ready, but not active";
  EXPECT_EQ(rig.choose(0xff), Warps{0});
}

TEST(TwoLevel, LongWaitLeavesWhenDrained) {
  PolicyRig rig(R"({"type": "two-level", "active_warps": 1})");
  EXPECT_EQ(rig.choose(0b11), Warps{0});
  rig.view.long_wait = 0b01;
  rig.view.drained = 0b10;
  EXPECT_EQ(rig.choose(0b10), Warps{}) << "warp 0 still has instructions in collectors";
  EXPECT_EQ(rig.policy->active(), 0b01u);
  rig.view.drained = 0b11;
  EXPECT_EQ(rig.choose(0b10), Warps{1});
  EXPECT_EQ(rig.policy->active(), 0b10u);
}

TEST(TwoLevel, OneThatLeavesDoesNotIssueEvenIfItsWaitEnds) {
  PolicyRig rig(R"({"type": "two-level", "active_warps": 1})");
  rig.choose(0b11);
  rig.view.long_wait = 0b01;
  rig.view.drained = 0;
  rig.choose(0);
  rig.view.long_wait = 0;
  EXPECT_EQ(rig.choose(0b01), Warps{}) << "it drains";
  rig.view.drained = 0b11;
  EXPECT_EQ(rig.choose(0b11), Warps{1}) << "slots go round";
}

TEST(TwoLevel, LastingWaitsGiveUpTheSlot) {
  PolicyRig rig(R"({"type": "two-level", "active_warps": 2})");
  rig.choose(0xff);
  rig.view.lasting_wait = 0b11;
  EXPECT_EQ(rig.choose(0xfc), Warps{2});
  EXPECT_EQ(rig.policy->active(), 0b1100u);
  rig.view.lasting_wait = 0b11111111;
  EXPECT_EQ(rig.choose(0), Warps{});
  EXPECT_EQ(rig.policy->active(), 0u);
  rig.view.lasting_wait = 0;
  EXPECT_EQ(rig.choose(0xff).size(), 1u);
}

TEST(TwoLevel, EndedWarpsFreeTheirSlots) {
  PolicyRig rig(R"({"type": "two-level", "active_warps": 1})");
  rig.choose(0b11);
  rig.policy->on_warp_end(WarpId(0));
  rig.view.resident = 0b10;
  EXPECT_EQ(rig.choose(0b10), Warps{1});
}

TEST(TwoLevel, InnerOrders) {
  const auto picks = [](const char* inner) {
    PolicyRig rig(std::string(R"({"type": "two-level", "active_warps": 4, "inner": ")") + inner + "\"}");
    rig.warps[2].age = 0;
    rig.warps[0].age = 2;
    Warps all;
    for (const WarpSet ready : {0b1111u, 0b1111u, 0b1010u, 0b1111u, 0b1111u})
      all.push_back(rig.choose(ready).at(0));
    return all;
  };
  EXPECT_EQ(picks("round-robin"), (Warps{0, 1, 3, 0, 1}));
  EXPECT_EQ(picks("greedy"), (Warps{0, 0, 1, 1, 1}));
  EXPECT_EQ(picks("greedy-oldest"), (Warps{2, 2, 1, 1, 1}));
}

TEST(TwoLevel, WrongParametersAreNamed) {
  EXPECT_THROW(PolicyRig(R"({"type": "two-level", "active_warps": 0})"), Error);
  EXPECT_THROW(PolicyRig(R"({"type": "two-level", "inner": "random"})"), Error);
  EXPECT_THROW(PolicyRig(R"({"type": "gto", "active_warps": 4})"), Error);
  EXPECT_THROW(PolicyRig("\"oldest-first\""), Error);
}

}  // namespace
}  // namespace heddle
