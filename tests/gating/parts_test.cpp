// Tests power domains that are parts of a unit, such as halves of the unit's lanes. Each part wakes
// individually, and stays on while an instruction needs it. The parts of a unit are counted together. A
// policy that cannot handle parts must be refused.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <random>

#include "models/core/registry.h"
#include "models/gating/sm_power_domains.h"
#include "tests/gating/group_rig.h"

namespace heddle::gating_tests {
namespace {

constexpr Times kTimes = {3, 4, 2};

GroupRig parts(const std::string& policy, int domains, bool every_cycle = false,
               const Times& times = kTimes) {
  return {parameters_of(policy, times), domains, every_cycle, DomainKind::parts};
}

std::string refusal_of(const std::string& policy) {
  try {
    parts(policy, 2, false, Times{});
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

TEST(Parts, PoliciesThatLookAtSiblingsAreRefusedWithTheReason) {
  for (const char* policy : {R"("coordinated-blackout")", R"({"type":"adaptive"})"})
    EXPECT_NE(refusal_of(policy).find("serves only instructions that need this part"), std::string::npos)
        << policy;
  for (const char* policy : {R"("none")", R"("conventional")", R"("naive-blackout")",
                             R"({"type":"adaptive","base":"naive-blackout"})"})
    EXPECT_EQ(refusal_of(policy), "") << policy;
}

// With idle-detect 3, both parts of the unit sleep from cycle 3 on. From cycle 4 on, an instruction waits for
// part 1 only. Part 1 must be on in cycle 7. Part 0 must stay asleep.
TEST(Parts, OnlyWhatIsWantedWakes) {
  GroupRig rig = parts("\"conventional\"", 2);
  std::string states[2];
  for (int t = 0; t < 10; ++t) {
    rig.cycle(t >= 8 ? 2 : 0, {1, 1, t >= 4 && t < 8 ? 2u : 0u, 0});
    for (int i = 0; i < 2; ++i) states[i] += "oucw"[static_cast<int>(rig.state(i))];
  }
  EXPECT_EQ(states[0], "ooouuuuccc");
  EXPECT_EQ(states[1], "ooouuwwooo");
  rig.group.settle(10);
  rig.group.check_conservation();
  EXPECT_EQ(rig.count("unit.on_cycles"), 3u + 6u);
  EXPECT_EQ(rig.count("unit.uncompensated_cycles"), 4u + 2u);
  EXPECT_EQ(rig.count("unit.compensated_cycles"), 3u);
  EXPECT_EQ(rig.count("unit.wake_up_cycles"), 2u);
  EXPECT_EQ(rig.count("unit.idle_cycles"), 3u + 4u);
  EXPECT_EQ(rig.count("unit.sleeps"), 2u);
  EXPECT_EQ(rig.count("unit.wake_ups"), 1u);
  EXPECT_EQ(rig.count("unit.early_wake_ups"), 1u);
}

// With blackout, the two parts of the unit wake at different times. The part that wakes first must stay on
// until the other part is on, even if idle-detect is short.
TEST(Parts, WhatIsWantedStaysOnUntilAllOfItIs) {
  GroupRig rig = parts("\"naive-blackout\"", 2, false, {1, 20, 1});
  for (int t = 0; t < 12; ++t)
    rig.cycle(t < 10 ? 2 : 0, {0, 0, 0, 0});  // part 0 of the unit goes to sleep ten cycles before part 1
  bool both = false;
  for (int t = 0; t < 60 && !both; ++t) {
    rig.cycle(0, {1, 1, 3, 0});
    both = rig.group.awake() == 3;
  }
  EXPECT_TRUE(both);
}

TEST(Parts, ThirtyTwoOfThemHaveOneSetOfCounters) {
  GroupRig rig = parts("\"conventional\"", 32);
  EXPECT_EQ(rig.registry.counters().size(), 10u);
  for (int t = 0; t < 50; ++t) rig.cycle(0x80000001u, {0, 0, 0, 0});
  rig.group.settle(50);
  rig.group.check_conservation();
  EXPECT_EQ(rig.count("unit.sleeps"), 30u);
  EXPECT_EQ(rig.count("unit.on_cycles"), 2u * 50u + 30u * 3u);
  EXPECT_EQ(rig.count("unit.idle_cycles"), 30u * 3u);
}

TEST(Parts, UsersAreCountedAndOneAsleepIsNotUsed) {
  GroupRig rig = parts("\"conventional\"", 2);
  rig.group.advance(0);
  rig.group.use(0, 3);
  rig.group.use(0, 1);
  rig.group.left(1, 1);
  EXPECT_EQ(rig.group.in_use(), 3u);
  rig.group.left(2, 3);
  EXPECT_EQ(rig.group.in_use(), 0u);
  rig.group.advance(20);
  EXPECT_THROW(rig.group.use(20, 2), InternalError);
}

// Abdel-Majeed 2016, 4.3.3: a unit has two power domains, the lower and the upper half of every quad of
// lanes. The lower half sleeps after idle-detect. The upper half sleeps in its first idle cycle, if lane
// folding can execute the waiting instructions on the lower half alone. An instruction wants the upper half
// from cycle 6 on. The upper half wakes in the first cycle after its break-even time.
TEST(Parts, EagerGatingTakesNoIdleDetectWhereFoldingSpares) {
  for (const bool every_cycle : {false, true}) {
    GroupRig rig = parts(R"({"type":"eager","base":"naive-blackout"})", 2, every_cycle);
    const std::string low = "UUUU......", high = "U........U";
    std::string states[2];
    for (std::size_t t = 0; t < 10; ++t) {
      const DomainSet use = (low[t] == 'U' ? 1u : 0) | (high[t] == 'U' ? 2u : 0);
      rig.cycle(use, {0, 0, t >= 6 && t < 9 ? 2u : 0u, t < 6 ? 2u : 0u});
      for (int i = 0; i < 2; ++i) states[i] += "oucw"[static_cast<int>(rig.state(i))];
    }
    EXPECT_EQ(states[0], "ooooooouuu");
    EXPECT_EQ(states[1], "oouuuucwwo");
    rig.group.settle(10);
    EXPECT_EQ(rig.count("unit.critical_wake_ups"), 1u);
    EXPECT_EQ(rig.count("unit.compensated_cycles"), 1u) << "gated for 5 cycles, less 4 of break-even";
  }
}

TEST(Parts, EagerGatingLeavesOnWhatIsWanted) {
  GroupRig rig = parts(R"("eager")", 2);
  for (int t = 0; t < 6; ++t) rig.cycle(0, {1, 1, 2, 2});
  EXPECT_EQ(rig.group.awake(), 2u);
}

/// Random instructions. Each needs some parts of a unit, and uses these parts from the cycle in which they
/// are all awake.
struct RandomLoad {
  std::mt19937_64 random{23};
  DomainSet wanted = 0;
  DomainSet use = 0;
  Cycle until = 0;

  DomainInputs next(Cycle now, DomainSet awake, DomainSet all) {
    if (now >= until) use = 0;
    if (wanted && !(wanted & ~awake) && !use) {
      use = wanted;
      until = now + 1 + random() % 6;
      wanted = 0;
    } else if (!wanted && random() % 30 == 0) {
      wanted = static_cast<DomainSet>(random()) & all;
    }
    return {wanted != 0, wanted != 0, wanted, 0};
  }
};

TEST(Parts, EveryPolicyThatServesThemKeepsItsPromises) {
  int served = 0;
  for (const auto& [name, entry] : Registry<GatingPolicy>::instance().entries()) {
    const std::string policy = fmt::format("\"{}\"", name);
    if (!refusal_of(policy).empty()) continue;
    ++served;
    for (const Times& times : {Times{}, Times{1, 20, 9}, Times{5, 1, 1}}) {
      SCOPED_TRACE(fmt::format("{}, break-even {}", name, times.break_even));
      GroupRig every = parts(policy, 5, true, times), skipping = parts(policy, 5, false, times);
      RandomLoad load;
      const Cycle bound = every.group.policy().longest_wait_cycles() + static_cast<Cycle>(times.wake_up);
      std::array<Cycle, 5> waits{};
      while (every.now < 8000) {
        every.group.advance(every.now);
        const DomainInputs inputs = load.next(every.now, every.group.awake(), every.group.all());
        for (GroupRig* rig : {&every, &skipping}) rig->cycle(load.use, inputs);
        for (std::size_t i = 0; i < waits.size(); ++i) {
          const bool waiting = (inputs.wanted >> i & 1) && !(every.group.awake() >> i & 1);
          waits[i] = waiting ? waits[i] + 1 : 0;
          ASSERT_LE(waits[i], bound) << "part " << i << ", cycle " << every.now - 1;
          ASSERT_EQ(every.state(static_cast<int>(i)), skipping.state(static_cast<int>(i))) << every.now - 1;
        }
      }
      for (GroupRig* rig : {&every, &skipping}) {
        rig->group.settle(every.now);
        rig->group.check_conservation();
      }
      EXPECT_EQ(every.registry.snapshot(), skipping.registry.snapshot());
      EXPECT_EQ(every.count("unit.sleeps") > 20, !every.group.policy().never_gates());
    }
  }
  EXPECT_GE(served, 3);
}

class TwoUnitsOfHalves : public testing::Test {
 protected:
  static constexpr LaneMask kLow = 0x0000ffffu, kHigh = 0xffff0000u;
  TwoUnitsOfHalves()
      : units({"int",
               2,
               parameters_of("\"conventional\"", kTimes),
               {kLow, kHigh},
               false,
               "halves",
               false,
               StatsScope(registry, "test")}) {
    units.begin(0);
  }
  UnitView at(Cycle now) {
    units.advance(now);
    return units.power();
  }
  StatsRegistry registry;
  UnitDomains units;
};

// The lower half of unit 0 is in use and must stay on. The upper half of unit 0 and all of unit 1 are asleep.
// An instruction may therefore issue only if it needs no lane of the upper half, and only to unit 0.
TEST_F(TwoUnitsOfHalves, AnInstructionNeedsAUnitWithAllItsLanes) {
  units.use(0, 0, 0x3);
  UnitView power = at(5);
  EXPECT_EQ(power.takes, 1u);
  EXPECT_EQ(power.off, 2u) << "all of unit 1";
  EXPECT_EQ(power.lanes[0], kLow);
  EXPECT_EQ(power.lanes[1], 0u);
  for (const LaneMask lanes : {kLow, LaneMask{1}, kHigh, kAllLanes}) {
    EXPECT_EQ(power.able(lanes), units.able(lanes));
    EXPECT_EQ(power.able(lanes), lanes & kHigh ? 0u : 1u) << lanes;
  }
  EXPECT_THROW(units.use(5, 0, kHigh), InternalError);
}

// Two instructions wait. In each of the two units, some lanes that the second instruction needs are asleep.
// The second instruction chooses first. It takes the unit in which fewer of these lanes are asleep. The first
// instruction takes the other unit.
TEST_F(TwoUnitsOfHalves, InstructionsThatWaitTakeAUnitEach) {
  units.use(0, 0, 0x3);
  at(5);
  LaneDemand demand;
  demand.add(0x1);
  demand.add(kAllLanes);  // for this instruction, only the upper half of unit 0 is asleep
  units.set_inputs(5, 2, demand);
  const UnitView power = at(8);
  EXPECT_EQ(power.lanes[0], kAllLanes);
  EXPECT_EQ(power.lanes[1], kLow);
}

TEST_F(TwoUnitsOfHalves, OneInstructionWakesOneUnit) {
  at(5);
  LaneDemand demand;
  demand.add(kHigh);
  units.set_inputs(5, 1, demand);
  const UnitView power = at(8);
  EXPECT_EQ(power.lanes[0], kHigh);
  EXPECT_EQ(power.lanes[1], 0u);
}

TEST(DomainUsers, CountsPartsTogether) {
  DomainUsers users(32, DomainKind::parts);
  std::array<int, 32> each{};
  std::mt19937 next(1);
  for (int round = 0; round < 2000; ++round) {
    DomainSet some = next() & (round % 3 ? next() : kAllLanes);
    const bool come = round % 100 < 60 ? next() % 4 != 0 : next() % 4 == 0;
    DomainSet none = 0;
    for (std::size_t i = 0; i < each.size(); ++i) {
      if (!come && each[i] == 0) some &= ~(DomainSet{1} << i);
      if (!(some >> i & 1)) continue;
      each[i] += come ? 1 : -1;
      if (each[i] == 0) none |= DomainSet{1} << i;
    }
    if (come)
      users.add(some);
    else
      ASSERT_EQ(users.remove(some), none) << round;
  }
}

// The agenda returns the next cycle in which a group of power domains may change its state. No group may
// change before this cycle, and DomainAgenda::changes must grow exactly in the cycles of a change.
TEST(DomainAgenda, HoldsTheNextCycleOfItsGroups) {
  StatsRegistry registry;
  DomainAgenda agenda;
  std::vector<std::unique_ptr<DomainGroup>> groups;
  for (const char* name : {"a", "b", "c"})
    groups.push_back(std::make_unique<DomainGroup>(
        DomainGroupWiring{name, 4, parameters_of("\"conventional\"", kTimes), false,
                          StatsScope(registry, std::string("test.") + name), DomainKind::parts, &agenda}));
  for (auto& group : groups) group->begin(0);
  std::array<DomainSet, 3> used{};
  std::mt19937 next(1);
  const auto states = [&groups] {
    std::vector<PowerState> all;
    for (const auto& group : groups)
      for (int i = 0; i < 4; ++i) all.push_back(group->domain(i).state);
    return all;
  };
  for (Cycle now = 1; now < 400; ++now) {
    const auto before = states();
    const std::uint64_t changes = agenda.changes;
    const bool due = agenda.next <= now;
    agenda.next = kNever;
    for (auto& group : groups) {
      group->advance(now);
      agenda.next = std::min(agenda.next, group->next_change());
    }
    if (!due) {
      ASSERT_EQ(states(), before) << now;
    }
    ASSERT_EQ(agenda.changes != changes, states() != before) << now;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (next() % 8 == 0) groups[g]->set_inputs(now, {0, 0, static_cast<DomainSet>(next() % 16), 0});
      if (next() % 6 != 0) continue;
      groups[g]->left(now, used[g]);
      used[g] = static_cast<DomainSet>(next() % 16) & groups[g]->awake();
      groups[g]->use(now, used[g]);
    }
    for (const auto& group : groups) ASSERT_LE(agenda.next, group->next_change()) << now;
  }
}

// Power domains that a plug-in adds must begin and end a kernel together with the domains of the units.
TEST(SmPowerDomains, MakesGroupsForOthers) {
  StatsRegistry registry;
  const GatingParameters gating;
  SmPowerDomains power({&gating, 1, 2, 1, 0, false, StatsScope(registry, "sm0")});
  PowerDomains& subarrays =
      power.make({"subarrays", 4, DomainKind::parts, parameters_of("\"conventional\"", kTimes),
                  StatsScope(registry, "sm0.bank0")});
  EXPECT_FALSE(power.gates()) << "they are not units'";
  power.begin(0);
  subarrays.advance(6);
  EXPECT_EQ(subarrays.awake(), 0u);
  subarrays.set_inputs(6, {0, 0, 4, 0});
  subarrays.advance(9);
  EXPECT_EQ(subarrays.awake(), 4u);
  subarrays.use(9, 4);
  power.settle(20);
  power.check_conservation();
  std::uint64_t cycles = 0;
  for (const CounterInfo& info : registry.counters())
    if (info.owner == "sm0.bank0.subarrays" && info.unit == "domain-cycles" && info.name != "idle_cycles")
      cycles += info.counter->value();
  EXPECT_EQ(cycles, 4u * 20u);
}

}  // namespace
}  // namespace heddle::gating_tests
