// Tests fold policies and the warp groups of the Origami scheduler, with exact cycles: the cycles in which
// instructions fold, phases of a policy after a phase with many issues, and the turns of the warp groups. A
// cycle in which a policy is not called must not change the policy's later answers.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "models/folding/make_lane_plans.h"
#include "models/folding/warp_folding.h"
#include "models/scheduler/origami_groups.h"

namespace heddle {
namespace {

std::unique_ptr<FoldPolicy> policy(const std::string& json, int slots = 2) {
  FoldPolicy::Context context{slots};
  return Registry<FoldPolicy>::instance().make(parse_config_text(json, "test"), context);
}

/// Returns the cycles from `from` to `to` - 1 in which one type of instruction folds, as text such as
/// "0-119".
std::string window(FoldPolicy& p, Cycle from, Cycle to, FoldView view, bool FoldDecision::*type) {
  std::string runs;
  Cycle first = kNever;
  for (Cycle now = from; now <= to; ++now) {
    view.now = now;
    const bool on = now < to && p.decide(view).*type;
    if (on && first == kNever) first = now;
    if (!on && first != kNever) {
      runs += fmt::format("{}{}-{}", runs.empty() ? "" : " ", first, now - 1);
      first = kNever;
    }
  }
  return runs;
}

// The phases have 300 cycles. The type (INT or FP) that more warps execute next folds for the first 40 % of a
// phase, the other type for the first 70 % (Abdel-Majeed 2016, 4.3.1.1).
TEST(Phased, MajorityFoldsForFortyPercentMinorityForSeventy) {
  for (const auto& [int_count, fp_count, int_until, fp_until] :
       {std::tuple{10, 4, 119, 209}, {4, 10, 209, 119}, {5, 5, 119, 209}, {0, 0, 119, 209}}) {
    for (const bool fp : {false, true}) {
      const auto p = policy("\"phased\"");
      p->begin(0);
      const std::string expected =
          fmt::format("0-{0} 300-{1}", fp ? fp_until : int_until, 300 + (fp ? fp_until : int_until));
      EXPECT_EQ(window(*p, 0, 600, {0, int_count, fp_count, 0}, fp ? &FoldDecision::fp : &FoldDecision::int_),
                expected)
          << int_count << " " << fp_count;
    }
  }
}

TEST(Phased, DecidesAtTheBeginningOfAPhaseOnly) {
  const auto p = policy("\"phased\"");
  p->begin(1000);
  EXPECT_TRUE(p->decide({1000, 3, 9, 0}).int_);
  EXPECT_TRUE(p->decide({1209, 9, 3, 0}).int_) << "the minority when the phase began";
  EXPECT_FALSE(p->decide({1210, 9, 3, 0}).int_);
  EXPECT_FALSE(p->decide({1120, 9, 3, 0}).fp);
}

// A phase of 300 cycles has 600 issue slots, two in each cycle. After a phase with at least 540 issues (90
// %), nothing may fold in the next phase.
TEST(Phased, NothingFoldsAfterABusyPhase) {
  for (const auto& [issued, folds] : {std::pair{539, true}, {540, false}}) {
    const auto p = policy("\"phased\"");
    p->begin(0);
    EXPECT_FALSE(p->decide({0, 10, 4, 0}).phase_off);
    const FoldDecision next = p->decide({300, 10, 4, static_cast<std::uint64_t>(issued)});
    EXPECT_EQ(next.int_, folds) << issued;
    EXPECT_EQ(next.fp, folds);
    EXPECT_EQ(next.phase_off, !folds);
    EXPECT_EQ(next.again, folds ? 420u : 600u);
    EXPECT_TRUE(p->decide({600, 10, 4, static_cast<std::uint64_t>(issued) + 500}).int_)
        << "500 in this phase";
  }
  const auto always = policy(R"({"type":"phased","adaptive":false})");
  always->begin(0);
  always->decide({0, 10, 4, 0});
  EXPECT_TRUE(always->decide({300, 10, 4, 600}).int_);
}

// The test calls the policy only in cycles that the policy's earlier answers named (`again`). The answers
// must be the same as if the test called the policy in every cycle.
TEST(Policies, MayBeAskedInTheCyclesOfAgainOnly) {
  for (const auto& [name, entry] : Registry<FoldPolicy>::instance().entries()) {
    std::mt19937 random(3);
    const std::string json = fmt::format("\"{}\"", name);
    const auto every = policy(json), seldom = policy(json);
    every->begin(5);
    seldom->begin(5);
    FoldView view{5, 0, 0, 0};
    FoldDecision last;
    for (Cycle again = 5; view.now < 20000; ++view.now) {
      const FoldDecision now = every->decide(view);
      if (view.now == again) {
        last = seldom->decide(view);
        ASSERT_GT(last.again, view.now);
        again = last.again;
      }
      ASSERT_TRUE(now == last) << name << ", cycle " << view.now;
      view.issued += random() % (view.now % 4000 < 2000 ? 2 : 3);
      view.int_count = static_cast<int>(random() % 20);
      view.fp_count = static_cast<int>(random() % 20);
    }
  }
}

FoldingParameters parameters(const std::string& fold_policy, const std::string& shift = "off") {
  FoldingParameters p;
  p.policy = parse_config_text(fold_policy, "test");
  p.lane_shift = shift;
  return p;
}

std::uint64_t count(const StatsRegistry& registry, const std::string& name) {
  for (const CounterInfo& info : registry.counters())
    if (info.full_name() == name) return info.counter->value();
  ADD_FAILURE() << "no counter " << name;
  return 0;
}

TEST(WarpFolding, PlansBySidesOfTheWindow) {
  const FoldingParameters p = parameters("\"phased\"");
  StatsRegistry registry;
  WarpFolding folding({&p, 1, 2, false, StatsScope(registry, "sm0")});
  folding.begin(0);
  folding.warps_start(0);
  const auto passes = [&](Cycle now, isa::UnitClass unit) {
    if (folding.next_change() <= now) folding.update(now, 0, 10, 4);
    LanePlan storage;
    const LanePlan* plan = folding.plan({now, 0, unit, isa::OpClass::int_add, kAllLanes}, storage);
    return plan ? plan->passes : 1;
  };
  EXPECT_EQ(passes(0, isa::UnitClass::int_), 2);
  EXPECT_EQ(folding.spared(0, isa::UnitClass::int_), kUpperOfQuads);
  EXPECT_EQ(folding.spared(0, isa::UnitClass::sfu), 0u);
  EXPECT_EQ(passes(0, isa::UnitClass::sfu), 1) << "SFU instructions never fold";
  EXPECT_EQ(folding.next_change(), 120u);
  EXPECT_EQ(passes(119, isa::UnitClass::int_), 2);
  EXPECT_EQ(passes(120, isa::UnitClass::int_), 1);
  EXPECT_EQ(folding.spared(0, isa::UnitClass::int_), 0u);
  EXPECT_EQ(passes(120, isa::UnitClass::fp), 2);
  EXPECT_EQ(folding.next_change(), 210u);
  EXPECT_EQ(passes(210, isa::UnitClass::fp), 1);
  folding.warps_end(220);
  folding.warps_start(900);  // no warp runs before this cycle, so earlier cycles must not count
  EXPECT_EQ(passes(950, isa::UnitClass::int_), 2) << "the fourth phase began in cycle 900";
  folding.settle(1000);
  EXPECT_EQ(count(registry, "sm0.partition0.folding.int_cycles"), 120u + 100u);
  EXPECT_EQ(count(registry, "sm0.partition0.folding.fp_cycles"), 210u + 100u);
}

TEST(WarpFolding, NoneMovesNoThreadUnlessLanesShift) {
  StatsRegistry registry;
  const FoldingParameters none = parameters("\"none\""), shift = parameters("\"none\"", "pack");
  EXPECT_EQ(make_lane_plans(none, {1, 2, nullptr, {}, StatsScope(registry, "a")})->planner(), nullptr);
  WarpFolding packs({&shift, 1, 2, false, StatsScope(registry, "b")});
  EXPECT_EQ(packs.lanes({0, 0, isa::UnitClass::fp, isa::OpClass::fp32, 0x2b}), 0x17u);
  EXPECT_EQ(packs.lanes({0, 0, isa::UnitClass::ldst, isa::OpClass::memory, 0x2b}), 0x2bu);
}

/// Returns which warp group issues first in each phase, one letter per phase: F for full warps, P for partial
/// warps.
std::string turns(int full, int partial, int phases, OrigamiGroupsParameters p = {}) {
  OrigamiGroups groups(p);
  std::string all;
  for (int phase = 0; phase < phases; ++phase) {
    const Cycle now = 50 + static_cast<Cycle>(phase * p.phase_cycles);
    all += groups.step({now, phase == 0, 50, full, partial}).full_first ? 'F' : 'P';
  }
  return all;
}

// Full warps (32 active lanes) and partial warps form two groups. In each phase (a fixed number of cycles),
// the larger group issues first. A group is first in at most two consecutive phases (Abdel-Majeed 2016, 4.3.2
// and 4.3.3).
TEST(OrigamiGroups, TheOtherGroupHasItsTurn) {
  EXPECT_EQ(turns(5, 3, 6), "FFPFFP");
  EXPECT_EQ(turns(3, 5, 7), "PPFPPFP");
  EXPECT_EQ(turns(5, 0, 6), "FFFFFF") << "no change to an empty group";
  EXPECT_EQ(turns(4, 4, 6), "FFPPFF") << "of the same size: as it is, until the other's turn";
  EXPECT_EQ(turns(5, 3, 4, {300, 1}), "FPFP");
}

TEST(OrigamiGroups, SkippedCyclesChangeNothing) {
  std::mt19937 random(5);
  OrigamiGroups every({7, 2}), seldom({7, 2});
  OrigamiGroupsInputs in{3, true, 3, 0, 0};
  for (; in.now < 5000; ++in.now) {
    const bool changes = in.begins || random() % 9 == 0;
    if (changes && !in.begins) {
      in.full = static_cast<int>(random() % 4);
      in.partial = static_cast<int>(random() % 4);
    }
    const OrigamiGroupsOutputs out = every.step(in);
    if (changes) {
      ASSERT_EQ(seldom.step(in), out) << in.now;
    }
    in.begins = false;
  }
}

}  // namespace
}  // namespace heddle
