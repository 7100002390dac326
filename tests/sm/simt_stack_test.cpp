#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "models/sm/simt_stack.h"

namespace heddle {
namespace {

TEST(SimtStack, FallThroughRunsFirstAndBothMeet) {
  SimtStack stack;
  stack.start(kAllLanes);
  stack.branch(0xff, 10, 1, 20);
  EXPECT_EQ(stack.pc(), 1u);
  EXPECT_EQ(stack.active(), 0xffffff00u);
  stack.advance_to(20);
  EXPECT_EQ(stack.pc(), 10u);
  EXPECT_EQ(stack.active(), 0xffu);
  stack.advance_to(20);
  EXPECT_EQ(stack.pc(), 20u);
  EXPECT_EQ(stack.active(), kAllLanes);
  EXPECT_EQ(stack.depth(), 1u);
}

TEST(SimtStack, PathsMeetAtWhatExecutesAndFetchBeginsAtTheMetadataInFront) {
  SimtStack stack;
  stack.start(kAllLanes, {1, 0});
  EXPECT_EQ(stack.fetch_from(), 0u);
  stack.branch(0xff, {11, 10}, {4, 3}, {22, 20});
  EXPECT_EQ(stack.pc(), 4u);
  EXPECT_EQ(stack.fetch_from(), 3u);
  // fetch may start at either of the two metadata words (20 and 21) before the reconvergence point 22
  stack.advance_to({22, 21});
  EXPECT_EQ(stack.pc(), 11u);
  EXPECT_EQ(stack.fetch_from(), 10u);
  stack.advance_to({22, 20});
  EXPECT_EQ(stack.pc(), 22u);
  EXPECT_EQ(stack.fetch_from(), 20u);
  EXPECT_EQ(stack.active(), kAllLanes);
}

TEST(SimtStack, UniformBranchesKeepOnePath) {
  SimtStack stack;
  stack.start(0xf0);
  stack.branch(0xf0, 10, 1, 20);
  EXPECT_EQ(stack.pc(), 10u);
  stack.branch(0, 30, 11, 40);
  EXPECT_EQ(stack.pc(), 11u);
  EXPECT_EQ(stack.depth(), 1u);
}

TEST(SimtStack, TakenPathThatIsTheMeetingPointWaits) {
  SimtStack stack;
  stack.start(kAllLanes);
  stack.branch(0xffff, 20, 1, 20);
  EXPECT_EQ(stack.active(), 0xffff0000u);
  EXPECT_EQ(stack.depth(), 2u);
  stack.advance_to(20);
  EXPECT_EQ(stack.active(), kAllLanes);
}

// Lane i leaves the loop in iteration i. All lanes that have left must wait in a single stack entry.
TEST(SimtStack, LoopWithGrowingDivergenceStaysFlat) {
  SimtStack stack;
  stack.start(kAllLanes);
  std::size_t deepest = 0;
  for (int round = 0; round < kLanes; ++round) {
    EXPECT_EQ(stack.pc(), static_cast<std::uint32_t>(round == 0 ? 0 : 1));
    stack.advance_to(5);
    const LaneMask stay = stack.active() & ~(LaneMask{1} << round);
    stack.branch(stay, 1, 6, 6);
    deepest = std::max(deepest, stack.depth());
  }
  EXPECT_EQ(deepest, 2u);
  EXPECT_EQ(stack.pc(), 6u);
  EXPECT_EQ(stack.active(), kAllLanes);
}

TEST(SimtStack, ExitedLanesAreMissingEverywhere) {
  SimtStack stack;
  stack.start(kAllLanes);
  stack.branch(0xff, 10, 1, 20);
  stack.exit_lanes(0xffffff00, 2);
  EXPECT_EQ(stack.pc(), 10u);
  stack.exit_lanes(0x0f, 11);
  EXPECT_EQ(stack.active(), 0xf0u);
  EXPECT_EQ(stack.pc(), 11u);
  stack.advance_to(20);
  EXPECT_EQ(stack.active(), 0xf0u);
  EXPECT_FALSE(stack.finished());
  stack.exit_lanes(0xf0, 21);
  EXPECT_TRUE(stack.finished());
}

TEST(SimtStack, PathsWithoutMeetingPointRunToTheirEnds) {
  SimtStack stack;
  stack.start(0b11);
  stack.branch(0b01, 10, 1, SimtStack::kNever);
  EXPECT_EQ(stack.active(), 0b10u);
  stack.exit_lanes(0b10, 2);
  EXPECT_EQ(stack.pc(), 10u);
  stack.exit_lanes(0b01, 11);
  EXPECT_TRUE(stack.finished());
}

// Random nested loops and branches. Every lane must execute the same instructions as if it were the only
// lane. The stack must have at most two entries for each lane.
struct RandomProgram {
  struct Node {
    bool branch = false;
    std::uint32_t target = 0, reconvergence = 0;
  };
  std::vector<Node> code;

  explicit RandomProgram(unsigned seed) {
    std::mt19937 random(seed);
    block(random, 3);
    code.emplace_back();
  }
  void block(std::mt19937& random, int depth) {
    for (unsigned part = 0; part < 2 + random() % 2; ++part) {
      code.emplace_back();
      if (depth == 0) continue;
      if (random() % 2) {
        const std::size_t at = code.size();
        code.push_back({true, 0, 0});
        block(random, depth - 1);
        code[at].target = code[at].reconvergence = static_cast<std::uint32_t>(code.size());
      } else {
        const auto head = static_cast<std::uint32_t>(code.size());
        block(random, depth - 1);
        const auto behind = static_cast<std::uint32_t>(code.size() + 1);
        code.push_back({true, head, behind});
      }
    }
  }
};

bool takes(std::uint32_t pc, int lane, int decision, bool backward) {
  const std::uint32_t h = (pc * 2654435761u) ^ (static_cast<std::uint32_t>(lane) * 40503u) ^
                          (static_cast<std::uint32_t>(decision) * 2246822519u);
  return decision < 60 && (h >> 13) % 4 < (backward ? 1u : 2u);
}

TEST(SimtStack, EveryLaneSeesItsOwnPath) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const RandomProgram program(seed);
    const auto end = static_cast<std::uint32_t>(program.code.size() - 1);
    std::vector<std::vector<std::uint32_t>> seen(kLanes), alone(kLanes);
    std::vector<int> decisions(kLanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      int decision = 0;
      for (std::uint32_t pc = 0; pc != end;) {
        alone[lane].push_back(pc);
        const auto& node = program.code[pc];
        const bool taken = node.branch && takes(pc, static_cast<int>(lane), decision++, node.target < pc);
        pc = taken ? node.target : pc + 1;
      }
    }
    SimtStack stack;
    stack.start(kAllLanes);
    while (stack.pc() != end) {
      const std::uint32_t pc = stack.pc();
      const auto& node = program.code[pc];
      LaneMask taken = 0;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        if (!(stack.active() >> lane & 1)) continue;
        seen[lane].push_back(pc);
        if (node.branch && takes(pc, static_cast<int>(lane), decisions[lane]++, node.target < pc))
          taken |= LaneMask{1} << lane;
      }
      if (node.branch)
        stack.branch(taken, node.target, pc + 1, node.reconvergence);
      else
        stack.advance_to(pc + 1);
      ASSERT_LE(stack.depth(), 2u * kLanes);
    }
    EXPECT_EQ(stack.active(), kAllLanes) << "seed " << seed;
    EXPECT_EQ(seen, alone) << "seed " << seed;
  }
}

// A loop from pc 2 to 4, whose lanes reconverge at 5. The instruction at pc 8 exchanges values between lanes.
class ThreadProgress : public ::testing::Test {
 protected:
  ThreadProgress() { meets_[8] = true; }
  SimtStack stack_;
  std::vector<bool> meets_ = std::vector<bool>(16);
};

TEST_F(ThreadProgress, LanesThatWaitAtAMeetingPointGoPastIt) {
  stack_.start(0xf);
  EXPECT_FALSE(stack_.give_way(meets_));
  stack_.branch(0xe, 2, 5, 5);
  EXPECT_EQ(stack_.pc(), 2u);
  EXPECT_TRUE(stack_.has_other_lanes());
  EXPECT_FALSE(stack_.apart());
  ASSERT_TRUE(stack_.give_way(meets_));
  EXPECT_EQ(stack_.pc(), 5u);
  EXPECT_EQ(stack_.active(), 0x1u);
  EXPECT_TRUE(stack_.apart());
  stack_.exit_lanes(0x1, 6);
  EXPECT_EQ(stack_.pc(), 2u);
  EXPECT_EQ(stack_.active(), 0xeu);
  stack_.branch(0, 2, 5, 5);
  EXPECT_EQ(stack_.pc(), 5u);
  EXPECT_EQ(stack_.active(), 0xeu);
  stack_.exit_lanes(0xe, 6);
  EXPECT_TRUE(stack_.finished());
}

TEST_F(ThreadProgress, PathsThatAreApartMeetAtOperationsAcrossLanes) {
  stack_.start(0xf);
  stack_.branch(0xe, 2, 5, 5);
  ASSERT_TRUE(stack_.give_way(meets_));
  stack_.advance_to(8);
  stack_.meet(meets_);
  EXPECT_EQ(stack_.pc(), 2u);
  EXPECT_EQ(stack_.active(), 0xeu);
  EXPECT_FALSE(stack_.give_way(meets_));
  stack_.advance_to(5);
  EXPECT_EQ(stack_.active(), 0x1u);
  stack_.meet(meets_);
  EXPECT_EQ(stack_.pc(), 5u);
  EXPECT_EQ(stack_.active(), 0xeu);
  EXPECT_TRUE(stack_.apart());
  stack_.advance_to(8);
  stack_.meet(meets_);
  EXPECT_EQ(stack_.pc(), 8u);
  EXPECT_EQ(stack_.active(), 0xfu);
  EXPECT_FALSE(stack_.apart());
  stack_.exit_lanes(0xf, 9);
  EXPECT_TRUE(stack_.finished());
}

TEST_F(ThreadProgress, ThePathThatHasWaitedLongestComesNext) {
  stack_.start(0x7);
  stack_.branch(0x1, 2, 3, 10);
  stack_.branch(0x2, 4, 5, 10);
  std::vector<std::uint32_t> order;
  for (int turn = 0; turn < 6; ++turn) {
    order.push_back(stack_.pc());
    ASSERT_TRUE(stack_.give_way(meets_));
  }
  EXPECT_EQ(order, (std::vector<std::uint32_t>{5, 4, 2, 5, 4, 2}));
  for (int path = 0; path < 3; ++path) stack_.advance_to(10);
  EXPECT_EQ(stack_.pc(), 10u);
  EXPECT_EQ(stack_.active(), 0x7u);
}

}  // namespace
}  // namespace heddle
