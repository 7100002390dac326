// Issue constraints: single ones, and what every registered one promises.

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

#include "models/core/registry.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {
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
  view.free_collectors = 1;
  EXPECT_EQ(constraint->blocked(view), 0u);
  view.slot = 1;
  EXPECT_EQ(constraint->blocked(view), 0b1011u) << "the head takes the last one";
  view.slot = 0;
  view.free_collectors = 0;
  EXPECT_EQ(constraint->blocked(view), 0b1011u);
  EXPECT_EQ(constraint->reason(), StallReason::structural);
}

TEST(ScoreboardConstraint, BlocksHazards) {
  const auto constraint = make("scoreboard");
  ConstraintView view;
  view.candidates = 0b1111;
  view.hazard = 0b0110;
  EXPECT_EQ(constraint->blocked(view) & view.candidates, 0b0110u);
  EXPECT_EQ(constraint->reason(), StallReason::dependence);
}

TEST(ConstraintContract, SameViewSameAnswerAndMoreCollectorsNeverBlockMore) {
  const auto& entries = Registry<IssueConstraint>::instance().entries();
  ASSERT_GE(entries.size(), 2u);
  for (const auto& [name, entry] : entries) {
    SCOPED_TRACE(name);
    const auto constraint = make(name);
    std::mt19937_64 random(2);
    for (int round = 0; round < 200; ++round) {
      ConstraintView view;
      view.candidates = random();
      for (const WarpId warp : view.candidates) view.by_unit[random() % view.by_unit.size()].add(warp);
      view.hazard = view.candidates & random();
      view.free_collectors = static_cast<int>(random() % 4);
      view.slot = static_cast<int>(random() % 2);
      const WarpSet first = constraint->blocked(view) & view.candidates;
      EXPECT_EQ(constraint->blocked(view) & view.candidates, first);
      ConstraintView more = view;
      ++more.free_collectors;
      EXPECT_EQ(constraint->blocked(more) & view.candidates & ~first, 0u);
    }
  }
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
}  // namespace heddle
