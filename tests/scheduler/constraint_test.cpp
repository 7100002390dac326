// Tests single issue constraints, and the contract of every registered issue constraint.

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

#include "models/core/registry.h"
#include "models/ports/resource_view.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle::constraint_test {
namespace {

std::unique_ptr<IssueConstraint> make(const std::string& name) {
  IssueConstraint::Context context{64};
  return Registry<IssueConstraint>::instance().make(ConfigNode::make_string(name), context);
}

constexpr auto kControl = static_cast<std::size_t>(isa::UnitClass::control);

TEST(CollectorFree, HoldsBackAllButControl) {
  const auto constraint = make("collector-free");
  ConstraintView view;
  view.candidates = 0b1111;
  view.by_unit[kControl] = 0b0100;
  view.free_collectors = isa::FreeCollectors({1});
  EXPECT_EQ(constraint->blocked(view), 0u);
  view.slot = 1;
  EXPECT_EQ(constraint->blocked(view), 0b1011u) << "the head takes the last one";
  view.slot = 0;
  view.free_collectors = isa::FreeCollectors({0});
  EXPECT_EQ(constraint->blocked(view), 0b1011u);
  EXPECT_EQ(constraint->reason(), StallReason::structural);
}

TEST(CollectorFree, CountsTheSetOfEachKind) {
  const auto constraint = make("collector-free");
  std::array<WarpView, 64> warps{};
  const std::array kinds = {isa::UnitClass::int_, isa::UnitClass::fp, isa::UnitClass::sfu,
                            isa::UnitClass::ldst};
  ConstraintView view;
  view.warps = warps;
  view.candidates = 0b11111;
  view.by_unit[kControl] = 0b10000;
  for (std::size_t w = 0; w < kinds.size(); ++w) {
    warps[w].unit = kinds[w];
    view.by_unit[static_cast<std::size_t>(kinds[w])] = bit_of(WarpId(static_cast<std::uint32_t>(w)));
  }
  view.free_collectors = isa::FreeCollectors({0, 1, 1});
  EXPECT_EQ(constraint->blocked(view), 0b00011u) << "INT and FP share a set";
  view.free_collectors = isa::FreeCollectors({1, 1, 0});
  EXPECT_EQ(constraint->blocked(view), 0b01000u) << "loads and stores have theirs";
  view.slot = 1;
  view.free_collectors = isa::FreeCollectors({2, 1, 1});
  EXPECT_EQ(constraint->blocked(view), 0b01100u) << "the first instruction of the warp takes the last one";
  warps[3].unit = isa::UnitClass::int_;
  EXPECT_EQ(constraint->blocked(view), 0b00100u) << "the first one takes one of another set";
  view.slot = 0;
  view.by_unit[static_cast<std::size_t>(isa::UnitClass::matrix)] = 0b00001;
  view.by_unit[static_cast<std::size_t>(isa::UnitClass::int_)] = 0;
  view.free_collectors = isa::FreeCollectors({0, 1, 1});
  EXPECT_EQ(constraint->blocked(view), 0b00011u) << "matrix instructions take the set of INT and FP";
}

TEST(ScoreboardConstraint, BlocksHazards) {
  const auto constraint = make("scoreboard");
  ConstraintView view;
  view.candidates = 0b1111;
  view.hazard = 0b0110;
  EXPECT_EQ(constraint->blocked(view) & view.candidates, 0b0110u);
  EXPECT_EQ(constraint->reason(), StallReason::dependence);
}

// The constraint collector-share limits how many collectors an instruction type occupies (here 2). Two INT
// instructions occupy INT's share, so no further INT instruction may issue. FP instructions, loads and
// instructions of the second partition may.
TEST(CollectorShare, HoldsBackTheTypeThatHasItsShare) {
  IssueConstraint::Context context{64, 8, 2, 2};
  ConfigNode choice = ConfigNode::make_object();
  set_config(choice, "type=collector-share");
  set_config(choice, "most=2");
  const auto constraint = Registry<IssueConstraint>::instance().make(choice, context);
  isa::Instruction add;
  add.unit = isa::UnitClass::int_;
  WarpContext warp;
  warp.warp = WarpId(2);
  InFlight item;
  item.instruction = &add;
  item.context = &warp;
  ConstraintView view;
  view.candidates = 0b1111;
  view.by_unit[static_cast<std::size_t>(isa::UnitClass::int_)] = 0b0011;
  view.by_unit[static_cast<std::size_t>(isa::UnitClass::fp)] = 0b0100;
  item.mask = 0;
  for (int i = 0; i < 3; ++i) constraint->issued(item);
  EXPECT_EQ(constraint->blocked(view), 0u) << "guarded off: no collector";
  item.mask = kAllLanes;
  constraint->issued(item);
  EXPECT_EQ(constraint->blocked(view), 0u);
  view.slot = 1;
  EXPECT_EQ(constraint->blocked(view), 0b0011u) << "the head may take the second";
  view.slot = 0;
  constraint->issued(item);
  EXPECT_EQ(constraint->blocked(view), 0b0011u);
  view.partition = 1;
  EXPECT_EQ(constraint->blocked(view), 0u);
  view.partition = 0;
  constraint->dispatched(item);
  EXPECT_EQ(constraint->blocked(view), 0u);
}

ConstraintView random_candidates(std::mt19937_64& random) {
  static const std::array<WarpView, 64> warps{};
  static const ResourceView resources{{RegisterBudget{}}};
  static const isa::Instruction add;
  static const std::vector<const isa::Instruction*> instructions(warps.size(), &add);
  ConstraintView view;
  view.warps = warps;
  view.instructions = instructions;
  view.resources = &resources;
  view.candidates = random();
  for (const WarpId warp : view.candidates) view.by_unit[random() % view.by_unit.size()].add(warp);
  return view;
}

TEST(ConstraintContract, SameViewSameAnswerAndMoreCollectorsNeverBlockMore) {
  const auto& entries = Registry<IssueConstraint>::instance().entries();
  ASSERT_GE(entries.size(), 2u);
  for (const auto& [name, entry] : entries) {
    SCOPED_TRACE(name);
    const auto constraint = make(name);
    std::mt19937_64 random(2);
    for (int round = 0; round < 200; ++round) {
      ConstraintView view = random_candidates(random);
      view.hazard = view.candidates & random();
      std::vector<int> collectors(random() % 2 ? 1 : isa::kCollectorKinds);
      for (int& set : collectors) set = static_cast<int>(random() % 4);
      view.free_collectors = isa::FreeCollectors(collectors);
      view.slot = static_cast<int>(random() % 2);
      const WarpSet first = constraint->blocked(view) & view.candidates;
      EXPECT_EQ(constraint->blocked(view) & view.candidates, first);
      ConstraintView more = view;
      for (const isa::UnitClass unit : {isa::UnitClass::int_, isa::UnitClass::sfu, isa::UnitClass::ldst})
        more.free_collectors.give_back(unit);
      EXPECT_EQ(constraint->blocked(more) & view.candidates & ~first, 0u);
    }
  }
}

TEST(ConstraintContract, WithoutItsObstacleItBlocksNoWarp) {
  for (const auto& [name, entry] : Registry<IssueConstraint>::instance().entries()) {
    SCOPED_TRACE(name);
    const auto constraint = make(name);
    const Obstacle obstacle = constraint->obstacle();
    if (obstacle == Obstacle::anything) continue;
    std::mt19937_64 random(3);
    for (int round = 0; round < 200; ++round) {
      ConstraintView view = random_candidates(random);
      view.slot = static_cast<int>(random() % 2);
      // Each condition that can block a warp is set at random, except the condition that the constraint
      // declares as its obstacle. Without this obstacle, the constraint must block no warp.
      if (obstacle != Obstacle::hazard) view.hazard = view.candidates & random();
      const int more = obstacle == Obstacle::no_collector ? view.slot + 1 : 0;
      view.free_collectors = isa::FreeCollectors({more + static_cast<int>(random() % 3)});
      view.all_take = obstacle == Obstacle::unit_unavailable || random() % 2;
      for (UnitView& unit : view.units) unit.takes = view.all_take ? 1 : 0;
      EXPECT_EQ(constraint->blocked(view) & view.candidates, 0u);
    }
  }
}

TEST(ConstraintContract, WhoBlocksHazardsBlocksNothingElse) {
  int some = 0;
  for (const auto& [name, entry] : Registry<IssueConstraint>::instance().entries()) {
    SCOPED_TRACE(name);
    const auto constraint = make(name);
    if (constraint->obstacle() != Obstacle::hazard) continue;
    ++some;
    std::mt19937_64 random(5);
    for (int round = 0; round < 200; ++round) {
      ConstraintView view = random_candidates(random);
      view.hazard = view.candidates & random();
      view.free_collectors = isa::FreeCollectors({static_cast<int>(random() % 3)});
      view.slot = static_cast<int>(random() % 2);
      EXPECT_EQ(constraint->blocked(view), view.hazard);
    }
  }
  EXPECT_EQ(some, 1);
}

TEST(StallReasons, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (int r = 0; r < static_cast<int>(StallReason::count_); ++r)
    EXPECT_TRUE(names.insert(name_of(static_cast<StallReason>(r))).second);
  EXPECT_EQ(names.count("?"), 0u);
}

TEST(StallReasons, OwnOnesFollowTheBuiltInOnesSortedAndOnce) {
  const auto built_in = static_cast<std::size_t>(StallReason::count_);
  EXPECT_EQ(stall_reason_names().size(), built_in);
  const std::vector<std::string> names = stall_reason_names({"zoo", "fence", "apples", "zoo"});
  ASSERT_EQ(names.size(), built_in + 2);
  EXPECT_EQ(names[built_in], "apples");
  EXPECT_EQ(names[built_in + 1], "zoo");
}

}  // namespace
}  // namespace heddle::constraint_test
