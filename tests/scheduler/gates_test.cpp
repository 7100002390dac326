// Tests the scheduling policy GATES: priority logic, effect on the warps that it picks, and the example of
// Abdel-Majeed 2016, Fig. 3.3.

#include <gtest/gtest.h>

#include <random>

#include "models/scheduler/gates_priority.h"
#include "tests/scheduler/policy_rig.h"

namespace heddle {
namespace {

using isa::UnitClass;
using Warps = std::vector<std::uint32_t>;
using Classes = std::vector<UnitClass>;
constexpr auto kInt = UnitClass::int_, kFp = UnitClass::fp, kSfu = UnitClass::sfu, kLdst = UnitClass::ldst,
               kControl = UnitClass::control;

struct Logic {
  explicit Logic(GatesPriorityParameters parameters = {}) : priority(make_gates_priority(parameters)) {
    in.slots = 2;
    in.awake.fill(true);
  }
  Logic& ready(int int_, int fp, int sfu, int ldst) {
    in.ready = {int_, fp, sfu, ldst};
    return *this;
  }
  Logic& active(int int_, int fp) {
    in.active = {int_, fp};
    return *this;
  }
  GatesOutputs step() {
    const GatesOutputs out = priority->step(in);
    ++in.now;
    return out;
  }
  UnitClass highest() { return step().highest; }
  Classes slots() {
    const GatesOutputs out = step();
    return {out.slots.begin(), out.slots.begin() + out.count};
  }

  std::unique_ptr<GatesPriority> priority;
  GatesInputs in;
};

TEST(GatesPriority, IntFirstThenMemoryThenSpecialFunctionsThenFp) {
  Logic logic;
  logic.active(4, 4);
  EXPECT_EQ(logic.ready(2, 2, 2, 2).slots(), (Classes{kInt, kInt}));
  EXPECT_EQ(logic.ready(1, 2, 2, 2).slots(), (Classes{kInt, kLdst}));
  EXPECT_EQ(logic.ready(0, 2, 2, 2).slots(), (Classes{kLdst, kLdst}));
  EXPECT_EQ(logic.ready(0, 2, 2, 1).slots(), (Classes{kLdst, kSfu}));
  EXPECT_EQ(logic.ready(1, 2, 1, 0).slots(), (Classes{kInt, kSfu}));
  EXPECT_EQ(logic.ready(1, 2, 0, 0).slots(), (Classes{kInt, kFp}));
  EXPECT_EQ(logic.ready(0, 1, 0, 0).slots(), (Classes{kFp}));
  logic.in.slots = 1;
  EXPECT_EQ(logic.ready(1, 1, 1, 1).slots(), (Classes{kInt}));
  logic.in.slots = 0;
  EXPECT_EQ(logic.ready(1, 1, 1, 1).slots(), Classes{});
}

TEST(GatesPriority, ChangesWhenTheHighestTypeHasNoActiveWarp) {
  Logic logic;
  EXPECT_EQ(logic.active(0, 0).highest(), kInt) << "there is nothing to change to";
  EXPECT_EQ(logic.active(1, 3).ready(0, 3, 0, 0).highest(), kInt) << "active, though not ready";
  EXPECT_EQ(logic.active(0, 3).highest(), kFp);
  EXPECT_EQ(logic.active(3, 1).ready(3, 0, 0, 0).highest(), kFp);
  EXPECT_EQ(logic.active(3, 1).ready(3, 2, 1, 1).slots(), (Classes{kFp, kFp}));
  EXPECT_EQ(logic.active(3, 1).ready(3, 0, 1, 0).slots(), (Classes{kSfu, kInt}));
  EXPECT_EQ(logic.active(3, 0).highest(), kInt);
}

TEST(GatesPriority, TypesWithoutAUnitAwakeGetNoSlot) {
  Logic logic;
  logic.active(4, 4).ready(4, 4, 0, 1);
  logic.in.awake[0] = false;
  EXPECT_EQ(logic.slots(), (Classes{kLdst, kFp}));
}

TEST(GatesPriority, ChangesWhenAllClustersOfTheHighestTypeAreInBlackout) {
  Logic logic;
  logic.in.blackout = {true, true};
  EXPECT_EQ(logic.active(4, 4).highest(), kInt) << "FP could not issue either";
  logic.in.blackout = {true, false};
  EXPECT_EQ(logic.active(4, 0).highest(), kInt) << "no FP warp waits";
  EXPECT_EQ(logic.active(4, 1).highest(), kFp);
  logic.in.blackout = {false, false};
  EXPECT_EQ(logic.active(4, 1).highest(), kFp) << "it stays there";

  Logic without({false, 0});
  without.in.blackout = {true, false};
  EXPECT_EQ(without.active(4, 1).highest(), kInt);
}

TEST(GatesPriority, NoTypeWaitsLongerThanTheLimit) {
  Logic logic({true, 10});
  logic.active(4, 4);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 10; ++i) EXPECT_EQ(logic.highest(), kInt) << i;
    for (int i = 0; i < 10; ++i) EXPECT_EQ(logic.highest(), kFp) << i;
  }
  EXPECT_EQ(logic.active(4, 0).highest(), kInt);
  for (int i = 0; i < 5; ++i) logic.active(4, 1).step();
  logic.active(4, 0).step();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(logic.active(4, 1).highest(), kInt) << "waits anew, " << i;
  EXPECT_EQ(logic.highest(), kFp);
}

TEST(GatesPriority, TheLimitHoldsWhileTheOtherIsInBlackout) {
  Logic logic({true, 3});
  logic.active(2, 2);
  logic.in.blackout = {false, true};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(logic.highest(), kInt);
  logic.in.blackout = {false, false};
  EXPECT_EQ(logic.highest(), kFp);
}

TEST(GatesPriority, ReadyWarpsDecideWhereTheRuleSaysSo) {
  Logic logic({true, 0, true});
  logic.active(2, 2).ready(0, 1, 0, 0);
  EXPECT_EQ(logic.highest(), kFp) << "INT has active warps, none of them ready (Abdel-Majeed 2016, 3.3)";
  logic.active(2, 2).ready(0, 0, 0, 0);
  EXPECT_EQ(logic.highest(), kFp) << "neither has";
  logic.in.blackout = {false, true};
  EXPECT_EQ(logic.ready(0, 1, 0, 0).highest(), kFp) << "INT has nothing to issue";
  EXPECT_EQ(logic.ready(1, 1, 0, 0).highest(), kInt) << "blackout of FP";
}

TEST(GatesPriority, SkippedCyclesChangeNothing) {
  for (const GatesPriorityParameters& parameters :
       {GatesPriorityParameters{true, 0}, GatesPriorityParameters{true, 7},
        GatesPriorityParameters{false, 40}, GatesPriorityParameters{true, 1},
        GatesPriorityParameters{true, 5, true}, GatesPriorityParameters{true, 0, true}}) {
    Logic every(parameters), skipping(parameters);
    std::mt19937_64 random(23);
    for (int round = 0; round < 5000; ++round) {
      const auto few = [&random] { return static_cast<int>(random() % 3); };
      every.active(few(), few()).ready(few(), few(), few(), few());
      for (bool& blackout : every.in.blackout) blackout = random() % 4 == 0;
      for (bool& awake : every.in.awake) awake = random() % 4 != 0;
      const Cycle now = every.in.now;
      skipping.in = every.in;
      GatesOutputs last;
      for (Cycle gap = 1 + random() % 60; gap > 0; --gap) last = every.step();
      skipping.step();
      if (random() % 2 == 0) continue;
      skipping.in.now = every.in.now - 1;
      if (skipping.in.now > now) {
        ASSERT_EQ(skipping.step(), last) << "round " << round;
      }
    }
  }
}

constexpr const char* kGates = R"({"type": "gates", "active_warps": 16})";

TEST(Gates, PicksByTypeThenInTheInnerOrder) {
  PolicyRig rig(kGates, 0x3f, 2);
  const Classes units = {kFp, kInt, kLdst, kInt, kSfu, kInt};
  for (std::size_t w = 0; w < units.size(); ++w) rig.warps[w].unit = units[w];
  EXPECT_EQ(rig.choose(0x3f), (Warps{1, 3}));
  EXPECT_EQ(rig.choose(0x3f), (Warps{5, 1})) << "round-robin within the type";
  EXPECT_EQ(rig.choose(0b010111), (Warps{1, 2}));
  EXPECT_EQ(rig.choose(0b010001), (Warps{4, 0}));
}

TEST(Gates, ControlComesFirst) {
  PolicyRig rig(kGates, 0b111, 2);
  rig.warps[2].unit = kControl;
  EXPECT_EQ(rig.choose(0b111), (Warps{2, 0}));
  rig.warps[1].unit = kControl;
  EXPECT_EQ(rig.choose(0b111), (Warps{1, 2})) << "no slot is left";
}

TEST(Gates, SecondInstructionsFillFreeSlotsIfAskedFor) {
  PolicyRig without(kGates, 0b11, 2);
  EXPECT_EQ(without.choose(0b10, 0b10), (Warps{1}));
  PolicyRig with(R"({"type": "gates", "pair_issue": true})", 0b11, 2);
  EXPECT_EQ(with.choose(0b10, 0b10), (Warps{1, 1}));
  EXPECT_EQ(with.choose(0b11, 0b11), (Warps{0, 1})) << "heads first";
}

TEST(Gates, OnlyActiveWarpsCount) {
  PolicyRig rig(R"({"type": "gates", "active_warps": 2})", 0b1111);
  rig.warps[2].unit = rig.warps[3].unit = kFp;
  EXPECT_EQ(rig.choose(0b1100), Warps{}) << "FP warps are pending";
  rig.view.long_wait = 0b0011;
  rig.view.drained = 0;
  EXPECT_EQ(rig.choose(0b1100), Warps{});
  EXPECT_EQ(rig.policy->leaving(), 0b0011u);
  rig.view.drained = 0b1111;
  EXPECT_EQ(rig.choose(0b1100), Warps{2});
}

// Picked warps take issue slots. Warps of an instruction type may request a gated unit only for the slots
// that are not taken by picked warps of this type or of a type with higher priority.
TEST(Gates, WakesOnlyWhatItWouldIssue) {
  PolicyRig rig(kGates, 0b1111, 2);
  rig.warps[2].unit = rig.warps[3].unit = kFp;
  rig.view.units[static_cast<std::size_t>(kFp)] = {0b11, 0, 0b11};
  rig.view.unit_unavailable = 0b1100;
  EXPECT_EQ(rig.choose(0b0011), (Warps{0, 1}));
  EXPECT_EQ(rig.policy->wanting(rig.view), 0b0011u) << "INT takes both slots";
  EXPECT_EQ(rig.choose(0b0010), (Warps{1}));
  EXPECT_EQ(rig.policy->wanting(rig.view), 0b0110u) << "one slot is left";
  EXPECT_EQ(rig.choose(0), Warps{});
  EXPECT_EQ(rig.policy->wanting(rig.view), 0b1100u);
}

// Matrix instructions come before all other types. They must therefore request a gated matrix unit even if an
// INT instruction takes the only issue slot.
TEST(Gates, WakesMatrixUnits) {
  PolicyRig rig(kGates, 0b11, 1);
  rig.warps[1].unit = UnitClass::matrix;
  rig.view.units[static_cast<std::size_t>(UnitClass::matrix)] = {0b1, 0, 0b1};
  rig.view.unit_unavailable = 0b10;
  EXPECT_EQ(rig.choose(0b01), (Warps{0}));
  EXPECT_EQ(rig.policy->wanting(rig.view), 0b11u);
}

// A unit may be awake and still lack the lanes that a warp's instruction needs. The warp must then use no
// issue slot, and must request the lanes.
TEST(Gates, WakesLanesOfAUnitThatIsAwake) {
  PolicyRig rig(kGates, 0b11, 1);
  rig.view.units[static_cast<std::size_t>(kInt)] = {0b11, 0b01, 0};
  rig.view.unit_unavailable = 0b11;
  EXPECT_EQ(rig.choose(0), Warps{});
  EXPECT_EQ(rig.policy->wanting(rig.view), 0b01u) << "one slot";
  rig.view.unit_unavailable = 0b10;
  EXPECT_EQ(rig.choose(0b01), Warps{0}) << "the slot goes to the one whose lanes are awake";
}

TEST(Gates, BlackoutOfIntGivesFpTheSlots) {
  PolicyRig rig(kGates, 0b1111, 1);
  rig.warps[2].unit = rig.warps[3].unit = kFp;
  EXPECT_EQ(rig.choose(0b1111), Warps{0});
  rig.view.units[static_cast<std::size_t>(kInt)] = {0b11, 0, 0b11};
  rig.view.unit_unavailable = 0b0011;
  EXPECT_EQ(rig.choose(0b1100), Warps{2});
  rig.view.units[static_cast<std::size_t>(kInt)] = {0b11, 0b01, 0b10};
  rig.view.unit_unavailable = 0;
  EXPECT_EQ(rig.choose(0b1111), Warps{3}) << "FP has become the highest type";
}

TEST(Gates, ItsPriorityLogicIsAProbePoint) {
  PolicyRig rig(kGates, 0b11, 2);
  rig.warps[1].unit = kFp;
  ProbeList list;
  rig.policy->probes(ProbeScope(list, "scheduler0"));
  ASSERT_EQ(list.parts.size(), 1u);
  EXPECT_EQ(list.parts[0].path, "scheduler0");
  auto* probe = list.parts[0].points.at(0)->as<GatesPoint>();
  ASSERT_NE(probe, nullptr);
  EXPECT_EQ(probe->owner().max_switch_cycles, 0);
  int asked = 0;
  probe->attach([&asked](const GatesInputs& in, GatesOutputs* out) {
    ++asked;
    EXPECT_EQ(out->highest, kInt) << "what the logic has decided";
    *out = {kFp, {kFp}, in.ready[1] > 0 ? 1 : 0};
  });
  EXPECT_EQ(rig.choose(0b11), Warps{1}) << "what the observer has put in its place";
  EXPECT_EQ(asked, 1);
}

// Abdel-Majeed 2016, Fig. 3.3: INT1 INT2 FP1 INT3 FP2 INT4 INT5 INT6 INT7 FP3 FP4 INT8, one issue per cycle,
// latency 4. Idle cycles of the INT and FP pipelines in a window of 15 cycles, counted from 1.
struct Idle {
  std::vector<int> int_, fp;
};

Idle idle_cycles_of_the_example(const std::string& policy) {
  const Classes order = {kInt, kInt, kFp, kInt, kFp, kInt, kInt, kInt, kInt, kFp, kFp, kInt};
  PolicyRig rig(policy, (std::uint64_t{1} << order.size()) - 1);
  for (std::size_t w = 0; w < order.size(); ++w) rig.warps[w].unit = order[w];
  Idle idle;
  int int_busy_to = 0, fp_busy_to = 0;
  for (int cycle = 1; cycle <= 15; ++cycle) {
    for (const std::uint32_t warp : rig.choose(rig.view.has_instruction)) {
      (order[warp] == kInt ? int_busy_to : fp_busy_to) = cycle + 3;
      rig.policy->on_warp_end(WarpId(warp));
      rig.view.resident.remove(WarpId(warp));
      rig.view.has_instruction = rig.view.resident;
    }
    if (cycle > int_busy_to) idle.int_.push_back(cycle);
    if (cycle > fp_busy_to) idle.fp.push_back(cycle);
  }
  EXPECT_EQ(rig.view.resident, 0u);
  return idle;
}

TEST(PaperExample, TwoLevelLeavesShortIdlePeriods) {
  const Idle idle = idle_cycles_of_the_example(R"({"type": "two-level", "active_warps": 12})");
  EXPECT_EQ(idle.int_, (std::vector<int>{}));
  EXPECT_EQ(idle.fp, (std::vector<int>{1, 2, 9, 15}));
}

TEST(PaperExample, GatesBringsThemTogether) {
  const Idle idle = idle_cycles_of_the_example(R"({"type": "gates", "active_warps": 12})");
  EXPECT_EQ(idle.int_, (std::vector<int>{12, 13, 14, 15}));
  EXPECT_EQ(idle.fp, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
}

}  // namespace
}  // namespace heddle
