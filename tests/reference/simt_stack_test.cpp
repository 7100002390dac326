#include "models/reference/simt_stack.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::reference {
namespace {

constexpr LaneMask kLow = 0x0000ffff, kHigh = 0xffff0000;

TEST(SimtStack, FallThroughSideRunsFirstThenTakenSideThenAll) {
  SimtStack s;
  s.start(kAllLanes);
  s.go_to(5);
  s.split(kHigh, 20, 6, 30);
  EXPECT_EQ(s.pc(), 6);
  EXPECT_EQ(s.active(), kLow);
  s.go_to(30);
  EXPECT_EQ(s.pc(), 20);
  EXPECT_EQ(s.active(), kHigh);
  s.go_to(30);
  EXPECT_EQ(s.pc(), 30);
  EXPECT_EQ(s.active(), kAllLanes);
}

TEST(SimtStack, LanesThatBranchToTheReconvergencePointWaitThere) {
  SimtStack s;
  s.start(kAllLanes);
  s.split(kHigh, 30, 1, 30);
  EXPECT_EQ(s.pc(), 1);
  EXPECT_EQ(s.active(), kLow);
  s.go_to(30);
  EXPECT_EQ(s.active(), kAllLanes);
}

TEST(SimtStack, ExitedLanesLeaveEveryEntry) {
  SimtStack s;
  s.start(kAllLanes);
  s.split(kHigh, 20, 1, 30);
  s.exit(kLow, 2);
  EXPECT_EQ(s.pc(), 20);
  EXPECT_EQ(s.active(), kHigh);
  s.go_to(30);
  EXPECT_EQ(s.active(), kHigh);
  s.exit(kHigh, 31);
  EXPECT_TRUE(s.empty());
}

TEST(SimtStack, NestedSplitsThatMeetAtOnePointUnwindTogether) {
  SimtStack s;
  s.start(kAllLanes);
  s.split(kHigh, 20, 1, 40);
  s.split(0x000000ff, 40, 2, 40);
  EXPECT_EQ(s.active(), 0x0000ff00u);
  s.go_to(40);
  EXPECT_EQ(s.pc(), 20);
  EXPECT_EQ(s.active(), kHigh);
  s.go_to(40);
  EXPECT_EQ(s.active(), kAllLanes);
}

TEST(SimtStack, HoldsThirtyOneNestedSplits) {
  SimtStack s;
  s.start(kAllLanes);
  for (int i = 0; i < 31; ++i) s.split(1u << i, 1000 + i, i + 1, 2000 + 100 - i);
  EXPECT_EQ(s.active(), 1u << 31);
  for (int i = 30; i >= 0; --i) {
    s.go_to(2000 + 100 - i);
    EXPECT_EQ(s.active(), 1u << i);
    EXPECT_EQ(s.pc(), 1000 + i);
    s.go_to(2000 + 100 - i);
    EXPECT_EQ(s.active(), kAllLanes << i);
  }
}

TEST(SimtStack, WithoutReconvergenceBothSidesRunToTheirEnd) {
  SimtStack s;
  s.start(kAllLanes);
  s.split(kHigh, 20, 1, isa::kNoTarget);
  s.exit(kLow, 2);
  EXPECT_EQ(s.active(), kHigh);
  EXPECT_EQ(s.pc(), 20);
  s.exit(kHigh, 21);
  EXPECT_TRUE(s.empty());
}

// Lane 0 has left a loop, and waits at pc 5 for the other lanes, which repeat pc 2. The call give_way() lets
// lane 0 run instead of these lanes. The instruction at pc 8 exchanges values between lanes, so lane 0 must
// wait there until the other lanes arrive.
TEST(SimtStack, APathThatGivesWayLetsOthersGoPastTheirMeetingPoint) {
  std::vector<bool> meets(16);
  meets[8] = true;
  SimtStack s;
  s.start(0xf);
  EXPECT_FALSE(s.give_way(meets, 0));
  s.split(0xe, 2, 5, 5);
  EXPECT_EQ(s.other_lanes(0), 0x1u);
  ASSERT_TRUE(s.give_way(meets, 0));
  EXPECT_EQ(s.pc(), 5);
  EXPECT_EQ(s.active(), 0x1u);
  EXPECT_TRUE(s.apart());
  s.go_to(8);
  s.meet(meets, 0);
  EXPECT_EQ(s.pc(), 2);
  EXPECT_EQ(s.active(), 0xeu);
  s.go_to(5);
  EXPECT_TRUE(s.apart());
  s.meet(meets, 0);
  EXPECT_EQ(s.pc(), 5);
  EXPECT_EQ(s.active(), 0xeu);
  s.go_to(8);
  s.meet(meets, 0);
  EXPECT_EQ(s.pc(), 8);
  EXPECT_EQ(s.active(), 0xfu);
  EXPECT_FALSE(s.apart());
  s.exit(0xf, 9);
  EXPECT_TRUE(s.empty());
}

TEST(SimtStack, PathsThatComeApartAgainAndAgainTakeNoMoreRoom) {
  std::vector<bool> meets(16);
  meets[8] = true;
  SimtStack s;
  s.start(kAllLanes);
  for (int round = 0; round < 1000; ++round) {
    s.split(kHigh, 2, 5, 5);
    ASSERT_TRUE(s.give_way(meets, 0));
    s.go_to(8);
    s.meet(meets, 0);
    s.go_to(5);
    s.meet(meets, 0);
    s.go_to(8);
    s.meet(meets, 0);
    ASSERT_EQ(s.active(), kAllLanes);
    s.go_to(1);
    ASSERT_LE(s.depth(), 4);
  }
}

}  // namespace
}  // namespace heddle::reference
