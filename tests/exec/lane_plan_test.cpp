// Tests lane plans, which state the lane in which each thread executes: values must move to the physical
// lanes and back. Lanes without a thread, and sleeping lanes, must give poison.

#include <gtest/gtest.h>

#include <random>

#include "models/exec/lane_execution.h"
#include "tests/support/lane_planners.h"

namespace heddle {
namespace {

LaneVec numbered(std::uint32_t from) {
  LaneVec v;
  for (int i = 0; i < kLanes; ++i) v[i] = from + static_cast<std::uint32_t>(i);
  return v;
}

LanePass pass_of(LaneMask threads, int shift) {
  LanePass pass;
  for (LaneMask rest = threads; rest; rest &= rest - 1)
    pass.add(std::countr_zero(rest) - shift, std::countr_zero(rest));
  return pass;
}

TEST(LanePlan, GathersByAnyMap) {
  std::mt19937 next(1);
  for (int round = 0; round < 500; ++round) {
    LanePass pass;
    for (std::uint8_t& thread : pass.from) thread = static_cast<std::uint8_t>(next() % kLanes);
    pass.lanes = round == 0 ? 0 : round == 1 ? kAllLanes : static_cast<LaneMask>(next());
    LaneVec lanes;
    gather(lanes, numbered(100), pass);
    for (int lane = 0; lane < kLanes; ++lane)
      ASSERT_EQ(lanes[lane],
                pass.lanes >> lane & 1 ? 100u + pass.from[static_cast<std::size_t>(lane)] : kPoison)
          << "lane " << lane;
  }
}

// Abdel-Majeed 2016, Fig. 4.6: eight lanes have the thread mask 0x2E. The threads are packed into the lowest
// lanes of their quads, lane mask 0x17.
TEST(LanePlan, GathersIntoLanesAndScattersBack) {
  LanePass pass;
  for (const auto& [lane, thread] : {std::pair{0, 1}, {1, 2}, {2, 3}, {4, 5}}) pass.add(lane, thread);
  EXPECT_EQ(pass.lanes, 0x17u);
  LaneVec lanes, back = numbered(500);
  gather(lanes, numbered(100), pass);
  EXPECT_EQ(lanes[0], 101u);
  EXPECT_EQ(lanes[4], 105u);
  EXPECT_EQ(lanes[3], kPoison);
  EXPECT_EQ(lanes[31], kPoison);
  scatter(back, lanes, pass);
  EXPECT_EQ(back[5], 105u);
  EXPECT_EQ(back[0], 500u) << "a thread that does not execute";
  EXPECT_EQ(gather(LaneMask{0x22}, pass) & pass.lanes, 0x11u);
  EXPECT_EQ(gather(LaneMask{0x22}, pass) & ~pass.lanes, kPoison & ~pass.lanes);
  LaneMask bits = 0x1;
  scatter(bits, LaneMask{0x11}, pass);
  EXPECT_EQ(bits, 0x23u);
}

// The threads of mask 0xFF are folded. First the threads of mask 0x33 execute, then those of mask 0xCC, both
// times in the lanes of mask 0x33.
TEST(LanePlan, ServesEveryThreadOnce) {
  LanePlan plan{2, {pass_of(0x33, 0), pass_of(0xcc, 2)}};
  EXPECT_EQ(plan.lanes(), 0x33u);
  EXPECT_TRUE(plan.serves(0xff));
  EXPECT_FALSE(plan.serves(0x7f)) << "a thread too many";
  EXPECT_FALSE(plan.serves(0x1ff)) << "one is left out";
  plan.pass[1] = pass_of(0xcd, 0);
  EXPECT_FALSE(plan.serves(0xff)) << "thread 0 twice";
}

void subtract(const isa::Instruction&, isa::LaneOperands& o) {
  LaneMask less = 0;
  for (int i = 0; i < kLanes; ++i) {
    const std::uint32_t a = o.src[0][0]->lane[i], b = o.src[1][0]->lane[i];
    (*o.dst[0][0])[i] = o.pred_src[2] >> i & 1 ? a - b : 7;
    less |= LaneMask{a < b} << i;
  }
  o.pred_dst[1] = less;
}

class LaneExecution : public testing::Test {
 protected:
  LaneExecution() {
    instruction.num_src = 3;
    instruction.num_dst = 2;
    instruction.src[0].kind = instruction.src[1].kind = isa::Operand::Kind::reg;
    instruction.src[2].kind = isa::Operand::Kind::pred;
    instruction.dst[0].kind = isa::Operand::Kind::reg;
    instruction.dst[1].kind = isa::Operand::Kind::pred;
    instruction.lane_function = subtract;
    item.instruction = &instruction;
    item.mask = item.lanes = kAllLanes;
    values[0] = numbered(1000);
    values[1] = numbered(1);
    for (int i = 0; i < kLanes; i += 3) values[1][i] = 5000;
    for (std::size_t slot = 0; slot < 2; ++slot) item.operands.src[slot][0] = &values[slot];
    item.operands.pred_src[2] = 0xfff0ffffu;
    item.operands.dst[0][0] = &result;
  }
  void plan(LanePlanner& planner) {
    item.plan =
        planner.plan({0, 0, isa::UnitClass::int_, isa::OpClass::int_add, item.mask}, item.plan_storage);
  }
  isa::Instruction instruction;
  InFlight item;
  LaneVec values[2], result;
};

TEST_F(LaneExecution, EveryPlanComputesWhatTheIdentityDoes) {
  execute_in_lanes(item, kAllLanes);
  const LaneVec expected = result;
  const LaneMask predicate = item.operands.pred_dst[1];
  EXPECT_NE(predicate, 0u);
  testing_support::MirrorPlanner mirror;
  testing_support::LowerHalfPlanner lower;
  for (LanePlanner* planner : {static_cast<LanePlanner*>(&mirror), static_cast<LanePlanner*>(&lower)}) {
    result.fill(0);
    item.operands.pred_dst[1] = 0;
    plan(*planner);
    ASSERT_NE(item.plan, nullptr);
    execute_in_lanes(item, item.plan->lanes());
    EXPECT_TRUE(result == expected);
    EXPECT_EQ(item.operands.pred_dst[1], predicate);
  }
  EXPECT_EQ(lower.two_passes, 1);
}

TEST_F(LaneExecution, LanesAsleepGivePoison) {
  execute_in_lanes(item, 0x0000ffffu);
  for (int i = 0; i < kLanes; ++i) EXPECT_EQ(result[i] == kPoison, i >= 16) << i;
  EXPECT_EQ(item.operands.pred_dst[1] >> 16, kPoison >> 16);
  // In a mirrored plan, lanes 16 to 31 execute threads 0 to 15.
  testing_support::MirrorPlanner mirror;
  plan(mirror);
  execute_in_lanes(item, 0x0000ffffu);
  for (int i = 0; i < kLanes; ++i) EXPECT_EQ(result[i] == kPoison, i < 16) << i;
}

TEST_F(LaneExecution, ThreadsThatDoNotExecuteGetPoison) {
  testing_support::MirrorPlanner mirror;
  item.mask = 0x0000000fu;
  plan(mirror);
  EXPECT_EQ(item.plan->lanes(), 0xf0000000u);
  execute_in_lanes(item, kAllLanes);
  EXPECT_EQ(result[4], kPoison);
  EXPECT_EQ(result[1], 1001u - 2u);
}

TEST(LanePlanner, OperationsAcrossLanesStay) {
  EXPECT_FALSE(may_move_lanes(isa::UnitClass::int_, isa::OpClass::cross_lane));
  EXPECT_FALSE(may_move_lanes(isa::UnitClass::ldst, isa::OpClass::memory));
  EXPECT_FALSE(may_move_lanes(isa::UnitClass::control, isa::OpClass::control));
  EXPECT_TRUE(may_move_lanes(isa::UnitClass::fp, isa::OpClass::fp32));
}

}  // namespace
}  // namespace heddle
