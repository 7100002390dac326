// Each mutant breaks one rule of warp folding, in which a warp executes in two passes on half of the lanes
// (Abdel-Majeed 2016, 4.3). A program written for the rule must then compute wrong values. The test inserts
// faults at probe points of the pipelines, or in a lane planner that replaces the model's lane planner.

#include <gtest/gtest.h>

#include <memory>

#include "models/core/registry.h"
#include "models/exec/execution_unit.h"
#include "models/folding/warp_folding.h"
#include "models/gating/domain_group.h"
#include "models/gpu/gpu.h"
#include "tests/hierarchy/mutant_run.h"

namespace heddle::folding_tests {
namespace {

using hierarchy::case_on;
using hierarchy::program_of;

using Fault = std::function<void(Gpu&)>;

template <class Point>
Fault at(std::function<void(const typename Point::View&, typename Point::Answer&)> spoil) {
  return [spoil = std::move(spoil)](Gpu& gpu) {
    ProbeList list;
    gpu.sm(0).probes(ProbeScope(list, "sm0"));
    for (const ProbeList::Part& part : list.parts)
      for (ProbePoint* point : part.points)
        if (Probe<Point>* probe = point->as<Point>())
          probe->attach([spoil](const typename Point::View& view, typename Point::Answer* answer) {
            if (answer) spoil(view, *answer);
          });
  };
}

template <class Action>
void each_lane(const LanePass& pass, Action&& action) {
  for (LaneMask rest = pass.lanes; rest; rest &= rest - 1)
    action(std::countr_zero(rest), pass.thread_of(std::countr_zero(rest)));
}

// A loop of 24 iterations, in which threads read their lane number, combine predicates and exchange words. In
// some of the instructions, only the threads at positions 2 and 3 of each quad execute.
const std::string kProgram = [] {
  std::string body =
      "ld.global.u32 %r1, [%rd1];\nmov.u32 %r20, 24;\nmov.u32 %r30, 0;\nand.b32 %r8, %r0, 2;\n"
      "setp.ne.u32 %p2, %r8, 0;\n$loop:\nmov.u32 %r2, %laneid;\nmad.lo.u32 %r1, %r1, 5, %r2;\n"
      "setp.lt.u32 %p1, %r1, 2147483648;\n@%p1 add.u32 %r30, %r30, %r1;\n@!%p1 xor.b32 %r30, %r30, %r2;\n"
      "shfl.sync.down.b32 %r3, %r1, 3, 31, 0xffffffff;\nadd.u32 %r30, %r30, %r3;\n";
  for (int i = 0; i < 6; ++i) body += fmt::format("@%p2 mad.lo.u32 %r30, %r30, 3, {};\n", i);
  body += "sub.u32 %r20, %r20, 1;\nsetp.ne.u32 %p3, %r20, 0;\n@%p3 bra $loop;\n";
  return body;
}();

std::string outcome(const Fault& fault, const std::string& policy) {
  fuzz::Coverage coverage;
  return fuzz::run_case(
      case_on(program_of(kProgram), "fermi-gtx480",
              {"gpu.sm.folding.policy=" + policy, R"(gpu.sm.gating.int.granularity="quad-half")",
               R"(gpu.sm.gating.int.policy={"type":"eager"})"}),
      coverage, {}, fault);
}

const std::string kAlways = R"("always")";

void expect_noticed(const Fault& fault, const std::string& policy = kAlways) {
  EXPECT_EQ(outcome({}, policy), "") << "the program itself";
  const std::string message = outcome(fault, policy);
  EXPECT_TRUE(hierarchy::is_of_values(message)) << message;
}

TEST(FoldMutants, ASecondPassThatIsNotShiftedBackIsNoticed) {
  expect_noticed(at<LaneReshiftPoint>([](const LanePassView& view, LaneVec& threads) {
    if (view.number != 1) return;
    each_lane(*view.pass, [&](int, int thread) { threads[thread] = kPoison; });
    each_lane(*view.pass, [&](int lane, int) { threads[lane] = (*view.values)[lane]; });
  }));
}

TEST(FoldMutants, PredicateBitsThatAreNotShiftedBackAreNoticed) {
  expect_noticed(at<UnitPoint>([](const UnitProbeView& view, isa::LaneOperands& operands) {
    const LanePlan* plan = view.item.plan;
    if (!plan) return;
    for (std::size_t slot = 0; slot < view.item.instruction->num_dst; ++slot) {
      LaneMask in_lanes = 0;
      for (std::size_t p = 0; p < static_cast<std::size_t>(plan->passes); ++p)
        in_lanes |= gather(operands.pred_dst[slot], plan->pass[p]) & plan->pass[p].lanes;
      operands.pred_dst[slot] = in_lanes;
    }
  }));
}

TEST(FoldMutants, ALaneNumberThatIsNotShiftedIsNoticed) {
  expect_noticed(at<LaneShiftPoint>([](const LanePassView& view, LaneVec& lanes) {
    bool numbers = true;
    for (int lane = 0; lane < kLanes; ++lane)
      numbers = numbers && (*view.values)[lane] == static_cast<std::uint32_t>(lane);
    if (numbers) lanes = *view.values;
  }));
}

// The fault uses the lane plan of an arithmetic instruction for a shuffle.
TEST(FoldMutants, AShuffleThatFoldsIsNoticed) {
  expect_noticed(at<UnitPoint>([](const UnitProbeView& view, isa::LaneOperands& operands) {
    if (view.item.instruction->op_class != isa::OpClass::cross_lane) return;
    LanePlan storage;
    const auto folded = std::make_unique<InFlight>(view.item);
    folded->plan = fold_plan(view.item.mask, {true, false, false}, storage);
    execute_in_lanes(*folded, kAllLanes);
    operands.pred_dst[0] = folded->operands.pred_dst[0];
  }));
}

TEST(FoldMutants, ABufferOfTheLastPassAloneIsNoticed) {
  expect_noticed(at<UnitPoint>([](const UnitProbeView& view, isa::LaneOperands& operands) {
    const LanePlan* plan = view.item.plan;
    if (!plan || plan->passes == 1) return;
    for (std::size_t slot = 0; slot < view.item.instruction->num_dst; ++slot)
      for (LaneVec* result : operands.dst[slot])
        if (result) each_lane(plan->pass[0], [&](int, int thread) { (*result)[thread] = kPoison; });
  }));
}

// Fault: threads in the upper halves of the quads execute in their own lanes. These lanes sleep: all
// arithmetic folds into the lower halves, and only shuffles use the upper halves.
TEST(FoldMutants, UpperPositionsInTheirOwnLanesAreNoticed) {
  expect_noticed(at<LaneMapPoint>([](const LanePassView& view, LaneMapPoint::Answer& map) {
    LanePass in_place;
    each_lane(map.pass, [&](int, int thread) { in_place.add(thread, thread); });
    if (view.fold && map.passes == 1 && !(in_place.lanes & kLowerOfQuads)) map.pass = in_place;
  }));
}

/// A lane planner that uses the model's plans, but requests too few lanes to be awake: for every instruction,
/// it requests the lanes of a folded instruction, even if the instruction does not fold.
class NeverWakes : public LanePlanner {
 public:
  const LanePlan* plan(const LanePlanView& view, LanePlan& storage) override {
    return fold_plan(view.threads, {folds(view.now), false, false}, storage);
  }
  LaneMask lanes(const LanePlanView& view) override { return fold_lanes(view.threads, {true, false, false}); }
  LaneMask spared(std::size_t, isa::UnitClass) const override { return kUpperOfQuads; }

 private:
  static bool folds(Cycle now) { return now / 50 % 2 == 0; }
};

// Fault: sleeping lanes are not woken, so instructions are sent to sleeping lanes. The unit must throw an
// error.
TEST(FoldMutants, AWakeUpThatIsSkippedIsNoticed) {
  NeverWakes planner;
  const std::string message = outcome([&](Gpu& gpu) { gpu.sm(0).set_lane_planner(&planner); }, kAlways);
  EXPECT_NE(message.find("lanes that no unit accepts"), std::string::npos) << message;
}

// The phases with and without folding are short. A fold policy may therefore answer differently when an
// instruction issues and when it starts in the unit; the answer at issue must be used.
TEST(FoldMutants, AFoldReadAtDispatchIsNoticed) {
  const std::string phases =
      R"({"type":"phased","phase_cycles":40,"aggressive_percent":50,"conservative_percent":50,"adaptive":false})";
  auto folds = std::make_shared<bool>(false);
  const Fault watch = at<FoldPoint>([folds](const FoldProbeView&, FoldDecision& d) { *folds = d.int_; });
  const Fault map = at<LaneMapPoint>([folds](const LanePassView& view, LaneMapPoint::Answer& answer) {
    LanePlan storage;
    const LanePlan* plan = fold_plan(view.item.mask, {*folds, false, false}, storage);
    const LanePlan now = plan ? *plan : identity_plan(view.item.mask);
    answer.passes = now.passes;
    answer.pass = now.pass[std::min(view.number, static_cast<std::size_t>(now.passes - 1))];
  });
  expect_noticed(
      [=](Gpu& gpu) {
        watch(gpu);
        map(gpu);
      },
      phases);
}

// The fault frees an instruction's lanes after its first pass. The group of power domains must throw an
// error.
TEST(FoldMutants, LanesThatAreLeftBehindTheFirstPassAreNoticed) {
  const std::string message =
      outcome(at<GatingPoint>([](const GatingProbeView& view, GatingDecision& decision) {
                for (std::size_t i = 0; i < view.group.domains.size(); ++i)
                  if (view.group.domains[i].used) decision.sleep |= DomainSet{1} << i;
              }),
              kAlways);
  EXPECT_NE(message.find("in use"), std::string::npos) << message;
}

}  // namespace
}  // namespace heddle::folding_tests
