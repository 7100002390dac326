// Traces of every gating policy, computed by hand. Unless stated otherwise, idle-detect is 3 cycles,
// break-even time 4 cycles and wake-up time 2 cycles. The rows of a trace have one character per cycle. They
// show the use of each domain ('U': in use), the number of active warps that wait for the unit class, the
// number of instructions that need it, and the state of each domain (o on, u uncompensated, c compensated, w
// wake-up). Saved energy is the number of gated cycles, minus the break-even time times the number of
// gatings. Its unit is the leakage of one domain in one cycle.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/gating/group_rig.h"

namespace heddle::gating_tests {
namespace {

struct Trace {
  const char* name;
  const char* policy;
  std::vector<std::string> use;
  std::string waiting, demand;
  std::vector<std::string> states;
  std::vector<int> saved;
  /// number of wake-ups: `early`: before the break-even time has passed; `critical`: in the first cycle after
  /// the break-even time
  int early = 0, critical = 0;
  Times times = {3, 4, 2};
  Cycle own_cycles = 0;
  /// number of wake-ups after which no instruction used the domain; counted when the domain is gated again
  int unused = 0;
};

constexpr const char* kConventional = "\"conventional\"";
constexpr const char* kNaive = "\"naive-blackout\"";
constexpr const char* kNaiveAtBreakEven = R"({"type": "naive-blackout", "least_gated": "break-even"})";
constexpr const char* kCoordinated = "\"coordinated-blackout\"";

// clang-format off
const std::vector<Trace> kTraces = {
    {"NoneStaysOn", "\"none\"",
     {"U..........."},
      "000000000000",
      "000000000000",
     {"oooooooooooo"}, {0}},

    {"ConventionalWakesBeforeBreakEven", kConventional,
     {"U........U"},
      "0000001111",
      "0000001111",
     {"oooouuuwwo"}, {3 - 4}, 1},

    {"ConventionalInstructionInTheLastUncompensatedCycle", kConventional,
     {"U.........U"},
      "00000001111",
      "00000001111",
     {"oooouuuuwwo"}, {4 - 4}, 1},

    {"ConventionalInstructionInTheFirstCompensatedCycle", kConventional,
     {"U..........U"},
      "000000001111",
      "000000001111",
     {"oooouuuucwwo"}, {5 - 4}, 0, 1},

    {"ConventionalLongSleep", kConventional,
     {"U............U"},
      "00000000001111",
      "00000000001111",
     {"oooouuuucccwwo"}, {7 - 4}},

    {"IssueInTheCycleOfIdleDetectKeepsItOn", kConventional,
     {"U..U..U..U"},
      "0000000000",
      "0000000000",
     {"oooooooooo"}, {0}},

    {"OneCycleMoreIsIdleLongEnough", kConventional,
     {"U..U......"},
      "0000000000",
      "0000000000",
     {"ooooooouuu"}, {3 - 4}},

    {"IdleFromTheBeginning", kConventional,
     {"......."},
      "0000000",
      "0000000",
     {"ooouuuu"}, {4 - 4}},

    {"IdleDetectOfNoneGoesAtOnce", kConventional,
     {"UU...U"},
      "000111",
      "000111",
     {"ooouwo"}, {1 - 4}, 1, 0, {0, 4, 1}},

    {"IdleDetectStartsAfreshAfterTheWakeUp", kConventional,
     {"U............."},
      "00000011000000",
      "00000011000000",
     {"oooouuuwwooouu"}, {5 - 8}, 1},

    {"WaitingAloneDoesNotWake", kConventional,
     {"U........."},
      "1111111111",
      "0000000000",
     {"oooouuuucc"}, {6 - 4}},

    {"ConventionalWakesOnlyAsManyAsAreWanted", kConventional,
     {"U...........U...",
      "UU.............."},
      "0000000001111111",
      "0000000001100000",
     {"oooouuuuccwwoooo",
      "ooooouuuuccccccc"}, {6 - 4, 11 - 4}},

    {"NaiveWaitsForBreakEven", kNaive,
     {"U..........U"},
      "000000111111",
      "000000111111",
     {"oooouuuucwwo"}, {5 - 4}, 0, 1},

    {"NaiveInstructionInTheLastUncompensatedCycle", kNaive,
     {"U..........U"},
      "000000011111",
      "000000011111",
     {"oooouuuucwwo"}, {5 - 4}, 0, 1},

    {"NaiveInstructionInTheFirstCompensatedCycle", kNaive,
     {"U..........U"},
      "000000001111",
      "000000001111",
     {"oooouuuucwwo"}, {5 - 4}, 0, 1},

    {"NaiveInstructionACycleLaterIsNotCritical", kNaive,
     {"U...........U"},
      "0000000001111",
      "0000000001111",
     {"oooouuuuccwwo"}, {6 - 4}},

    {"NaiveBothIdleAtOnceBothGo", kNaive,
     {"U..........U",
      "U..........."},
      "111111111111",
      "000000111111",
     {"oooouuuucwwo",
      "oooouuuucccc"}, {5 - 4, 8 - 4}, 0, 1},

    {"NaiveTwoInstructionsWakeBoth", kNaive,
     {"U..........U",
      "UU.........."},
      "000000222222",
      "000000222222",
     {"oooouuuucwwo",
      "ooooouuuucww"}, {5 - 4, 5 - 4}, 0, 2},

    {"NaiveAtBreakEvenWakesACycleSooner", kNaiveAtBreakEven,
     {"U.........U"},
      "00000011111",
      "00000011111",
     {"oooouuuuwwo"}, {4 - 4}, 0, 1},

    {"EagerCountsCriticalWakeUpsAsItsBaseDoes", R"({"type": "eager", "base": {"type": "naive-blackout", "least_gated": "break-even"}})",
     {"U.........U"},
      "00000011111",
      "00000011111",
     {"oooouuuuwwo"}, {4 - 4}, 0, 1},

    {"NaiveAtBreakEvenWakesLaterToo", kNaiveAtBreakEven,
     {"U...........U"},
      "0000000001111",
      "0000000001111",
     {"oooouuuuccwwo"}, {6 - 4}},

    {"ASecondSiblingWakesForLastingDemandAlone", R"({"type": "naive-blackout", "sibling_wake_cycles": 3})",
     {"U..........UUUUU",
      "U..............."},
      "0000000022222222",
      "0000000021222222",
     {"oooouuuucwwooooo",
      "oooouuuucccccwwo"}, {5 - 4, 9 - 4}, 0, 1},

    {"OwnTimeCountsIdleFromItsEnd", kConventional,
     {"UUUUU......"},
      "00000000000",
      "00000000000",
     {"oooooouuuuc"}, {5 - 4}, 0, 0, {3, 4, 2}, 2},

    {"OwnTimeGatesNothingInUse", kConventional,
     {"UUUUUUUU..."},
      "00000000000",
      "00000000000",
     {"ooooooooouu"}, {2 - 4}, 0, 0, {3, 4, 2}, 2},

    {"UnusedWakeUp", kConventional,
     {"U............."},
      "00000010000000",
      "00000010000000",
     {"oooouuuwwooouu"}, {5 - 8}, 1, 0, {3, 4, 2}, 0, 1},

    {"CoordinatedBothIdleAtOnceOneStaysWhileAWarpWaits", kCoordinated,
     {"U...........",
      "U..........."},
      "111111111000",
      "000000000000",
     {"oooouuuucccc",
      "oooooooooouu"}, {8 - 4, 2 - 4}},

    {"CoordinatedBothGoIfNoneWaits", kCoordinated,
     {"U.......",
      "U......."},
      "00000000",
      "00000000",
     {"oooouuuu",
      "oooouuuu"}, {0, 0}},

    {"CoordinatedSecondGoesBeforeIdleDetect", kCoordinated,
     {"U.........",
      "UUUUUU...."},
      "1111110000",
      "0000000000",
     {"oooouuuucc",
      "ooooooouuu"}, {6 - 4, 3 - 4}},

    {"CoordinatedSecondGoesInTheCycleAfterTheLastWarpLeft", kCoordinated,
     {"U.........",
      "UUUUUU...."},
      "1111111100",
      "0000000000",
     {"oooouuuucc",
      "ooooooooou"}, {6 - 4, 1 - 4}},

    {"CoordinatedSecondInUseStaysOn", kCoordinated,
     {"U.........",
      "UUUUUUUU.."},
      "0000000000",
      "0000000000",
     {"oooouuuucc",
      "ooooooooou"}, {6 - 4, 1 - 4}},

    {"CoordinatedBothWakeFromBlackoutAlone", kCoordinated,
     {"U..........U",
      "U..........."},
      "000000111111",
      "000000111111",
     {"oooouuuucwwo",
      "oooouuuucccc"}, {5 - 4, 8 - 4}, 0, 1},

    {"CoordinatedWakingSiblingLeavesTheOtherOn", kCoordinated,
     {"U..........U",
      "UUUUUUUU...."},
      "000000022111",
      "000000022111",
     {"oooouuuucwwo",
      "oooooooooooo"}, {5 - 4, 0}, 0, 1},

    {"CoordinatedLoneDomainStaysWhileAWarpWaits", kCoordinated,
     {"U.........."},
      "11111100000",
      "00000000000",
     {"ooooooouuuu"}, {0}},

    {"CoordinatedSixGoOneByOneDownToTheLast", kCoordinated,
     {"U.........", "U.........", "U.........", "U.........", "U.........", "U........."},
      "1111111111",
      "0000000000",
     {"oooouuuucc",
      "ooooouuuuc",
      "oooooouuuu",
      "ooooooouuu",
      "oooooooouu",
      "oooooooooo"}, {6 - 4, 5 - 4, 0, 3 - 4, 2 - 4, 0}},

    {"CoordinatedSixWithoutWarpsGoTogether", kCoordinated,
     {"U.......", "UUU.....", "UUU.....", "UUUU....", "UUUUU...", "UUUUUU.."},
      "00000000",
      "00000000",
     {"oooouuuu",
      "ooooouuu",
      "ooooouuu",
      "ooooouuu",
      "oooooouu",
      "ooooooou"}, {0, 3 - 4, 3 - 4, 3 - 4, 2 - 4, 1 - 4}},
};
// clang-format on

char letter(PowerState state) { return "oucw"[static_cast<std::size_t>(state)]; }

class Traces : public testing::TestWithParam<Trace> {};

TEST_P(Traces, States) {
  const Trace& trace = GetParam();
  const std::size_t domains = trace.use.size(), cycles = trace.use[0].size();
  for (const bool every_cycle : {false, true}) {
    GroupRig rig(parameters_of(trace.policy, trace.times), static_cast<int>(domains), every_cycle);
    rig.own_cycles = trace.own_cycles;
    std::vector<std::string> states(domains);
    for (std::size_t t = 0; t < cycles; ++t) {
      DomainSet use = 0;
      for (std::size_t i = 0; i < domains; ++i)
        if (trace.use[i].at(t) == 'U') use |= DomainSet{1} << i;
      rig.cycle(use, trace.waiting.at(t) - '0', trace.demand.at(t) - '0');
      for (std::size_t i = 0; i < domains; ++i) states[i] += letter(rig.state(static_cast<int>(i)));
    }
    EXPECT_EQ(states, trace.states);
    rig.group.settle(cycles);
    rig.group.check_conservation();
    int early = 0, critical = 0, unused = 0;
    for (std::size_t i = 0; i < domains; ++i) {
      const auto count = [&](const char* what) {
        return static_cast<int>(rig.count(fmt::format("unit{}.{}", i, what)));
      };
      const int gated = count("uncompensated_cycles") + count("compensated_cycles");
      EXPECT_EQ(gated - trace.times.break_even * count("sleeps"), trace.saved[i]) << "domain " << i;
      early += count("early_wake_ups");
      critical += count("critical_wake_ups");
      unused += count("unused_wake_ups");
    }
    if (trace.unused > 0) {
      EXPECT_EQ(unused, trace.unused);
    }
    EXPECT_EQ(early, trace.early);
    EXPECT_EQ(critical, trace.critical);
  }
}

INSTANTIATE_TEST_SUITE_P(, Traces, testing::ValuesIn(kTraces),
                         [](const auto& instance) { return std::string(instance.param.name); });

// Uses the paper's times (Abdel-Majeed 2016, 3.6.1): idle-detect 5 cycles, break-even time 14, wake-up time
// 3.
TEST(PaperTimes, BlackoutLastsFifteenCyclesAndThreeOfWakeUp) {
  GroupRig rig(parameters_of("\"naive-blackout\"", {}), 1);
  std::string states;
  for (int t = 0; t < 26; ++t) {
    rig.cycle(t == 0 || t == 24 ? 1 : 0, 1, 1);
    states += letter(rig.state(0));
  }
  EXPECT_EQ(states, "oooooouuuuuuuuuuuuuucwwwoo");
}

// A sleep of exactly the break-even time neither saves nor costs energy. Each further cycle saves the leakage
// of one cycle.
TEST(Energy, BreaksEvenAtTheBreakEvenTime) {
  for (int sleep = 1; sleep < 30; ++sleep) {
    GroupRig rig(parameters_of("\"conventional\"", {}), 1);
    for (int t = 0; t < 5 + sleep; ++t) rig.cycle(0, 0, t == 5 + sleep - 1 ? 1 : 0);
    rig.cycle(0, 0, 0);
    rig.group.settle(rig.now);
    const auto gated = rig.count("unit0.uncompensated_cycles") + rig.count("unit0.compensated_cycles");
    EXPECT_EQ(static_cast<int>(gated) - 14 * static_cast<int>(rig.count("unit0.sleeps")), sleep - 14);
    EXPECT_EQ(rig.count("unit0.early_wake_ups"), sleep <= 14 ? 1u : 0u);
  }
}

}  // namespace
}  // namespace heddle::gating_tests
