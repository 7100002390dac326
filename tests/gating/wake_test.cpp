// Tests power domains that an issuing instruction wakes (wake_on = issue): traces of one and two
// instructions, the choice among sibling units, the error for a domain that is not on, and the contract of
// every policy.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "models/core/registry.h"
#include "models/gating/unit_domains.h"
#include "tests/gating/group_rig.h"

namespace heddle::gating_tests::by_issue {
namespace {

constexpr const char* kConventional = "\"conventional\"";
constexpr const char* kNaive = "\"naive-blackout\"";
constexpr const char* kNaiveAtBreakEven = R"({"type": "naive-blackout", "least_gated": "break-even"})";
constexpr const char* kCoordinated = "\"coordinated-blackout\"";
constexpr const char* kSiblingsWait = R"({"type": "conventional", "sibling_wake_cycles": 3})";

/// A trace with idle-detect 3 cycles, break-even time 4 and wake-up time 2. The rows have one character per
/// cycle for each domain: events ('I': an instruction issues to the domain, 'L': an instruction has left the
/// domain), the state (o on, u gated for less than the break-even time, c gated for longer, w wake-up), and
/// whether instructions may issue to the domain.
struct Trace {
  const char* name;
  const char* policy;
  std::vector<std::string> events;
  std::string waiting, demand;
  std::vector<std::string> states;
  std::vector<std::string> takes;
  int early = 0, critical = 0;
};

// clang-format off
const std::vector<Trace> kTraces = {
    {"ConventionalWakesBeforeBreakEven", kConventional,
     {".....I....L..."},
      "00000000000000",
      "00000100000000",
     {"ooouuuwwooooou"},
     {"yyyyyyyyyyyyyy"}, 1},

    {"NaiveTakesNothingUntilBreakEven", kNaive,
     {".......I..."},
      "00001111000",
      "00001111000",
     {"ooouuuucwwo"},
     {"yyy....yyyy"}, 0, 1},

    {"NaiveAtBreakEvenOpensACycleSooner", kNaiveAtBreakEven,
     {"......I..."},
      "0000111000",
      "0000111000",
     {"ooouuuuwwo"},
     {"yyy...yyyy"}, 0, 1},

    {"NaiveInstructionACycleLaterIsNotCritical", kNaive,
     {"........I..."},
      "000000001000",
      "000000001000",
     {"ooouuuuccwwo"},
     {"yyy....yyyyy"}},

    {"DemandAloneWakesNothing", kNaive,
     {"............"},
      "111111111111",
      "111111111111",
     {"ooouuuuccccc"},
     {"yyy....yyyyy"}},

    {"SecondInstructionFindsItWaking", kConventional,
     {".....II...L.L..."},
      "0000000000000000",
      "0000010000000000",
     {"ooouuuwwooooooou"},
     {"yyyyyyyyyyyyyyyy"}, 1},

    {"NaiveTwoInstructionsWakeBoth", kNaive,
     {".......I...",
      ".......I..."},
      "00002222000",
      "00002222000",
     {"ooouuuucwwo",
      "ooouuuucwwo"},
     {"yyy....yyyy",
      "yyy....yyyy"}, 0, 2},

    {"CoordinatedLastOneStaysOnAndTheOtherIsCalled", kCoordinated,
     {"........I...",
      "............"},
      "111111111111",
      "000000001000",
     {"ooouuuuccwwo",
      "oooooooooooo"},
     {"yyy....yyyyy",
      "yyyyyyyyyyyy"}},

    {"SiblingTakesNothingUntilDemandHasLasted", kSiblingsWait,
     {"I..............",
      ".......I......."},
      "000022222222222",
      "000002221111111",
     {"ooooooooooooooo",
      "ooouuuucwwooooo"},
     {"yyyyyyyyyyyyyyy",
      "yyy....yyyyyyyy"}, 0, 1},

    {"OfTwoAsleepOneTakesWhileDemandIsShort", kSiblingsWait,
     {".....I.........",
      "..............."},
      "000001000000000",
      "000002000000000",
     {"ooouuuwwooooooo",
      "ooouuuucccccccc"},
     {"yyyyyyyyyyyyyyy",
      "yyy............"}, 1},
};
// clang-format on

class Wakes : public testing::TestWithParam<Trace> {};

TEST_P(Wakes, ByIssue) {
  const Trace& trace = GetParam();
  const std::size_t domains = trace.events.size(), cycles = trace.events[0].size();
  for (const bool every_cycle : {false, true}) {
    GroupRig rig(parameters_of(trace.policy, {3, 4, 2}), static_cast<int>(domains), every_cycle,
                 DomainKind::alternatives, true);
    std::vector<std::string> states(domains), takes(domains);
    for (Cycle t = 0; t < cycles; ++t) {
      rig.group.advance(t);
      for (std::size_t i = 0; i < domains; ++i) {
        states[i] += "oucw"[static_cast<int>(rig.state(static_cast<int>(i)))];
        takes[i] += rig.group.takes() >> i & 1 ? 'y' : '.';
        if (trace.events[i].at(t) == 'L') rig.group.left(t, DomainSet{1} << i);
        if (trace.events[i].at(t) == 'I') rig.group.use(t, DomainSet{1} << i);
      }
      rig.group.set_inputs(t, {trace.waiting.at(t) - '0', trace.demand.at(t) - '0', 0, 0});
    }
    EXPECT_EQ(states, trace.states);
    EXPECT_EQ(takes, trace.takes);
    rig.group.settle(cycles);
    rig.group.check_conservation();
    std::uint64_t early = 0, critical = 0;
    for (std::size_t i = 0; i < domains; ++i) {
      const auto count = [&](const char* what) { return rig.count(fmt::format("unit{}.{}", i, what)); };
      early += count("early_wake_ups");
      critical += count("critical_wake_ups");
      EXPECT_EQ(count("unused_wake_ups"), 0u);
    }
    EXPECT_EQ(early, static_cast<std::uint64_t>(trace.early));
    EXPECT_EQ(critical, static_cast<std::uint64_t>(trace.critical));
  }
}

INSTANTIATE_TEST_SUITE_P(, Wakes, testing::ValuesIn(kTraces),
                         [](const auto& instance) { return std::string(instance.param.name); });

GroupRig one_asleep(const char* policy, bool issue_wakes = true) {
  return {parameters_of(policy, {3, 4, 2}), 1, false, DomainKind::alternatives, issue_wakes};
}

TEST(Calls, AreRefusedByADomainInBlackoutAndWhereDemandWakes) {
  GroupRig blackout = one_asleep(kNaive), demand = one_asleep(kConventional, false);
  for (GroupRig* rig : {&blackout, &demand}) {
    rig->group.advance(5);
    EXPECT_THROW(rig->group.use(5, 1), InternalError);
  }
}

// The domain sleeps from cycle 3 on, wakes from cycle 7 on, and is on from cycle 10 on. An instruction that
// enters it in cycle 9 must cause an error.
TEST(Calls, EnterADomainThatIsOnAlone) {
  GroupRig rig = one_asleep(kNaive);
  rig.group.advance(7);
  rig.group.use(7, 1);
  EXPECT_EQ(rig.group.in_use(), 0u) << "called, not in use yet";
  rig.group.advance(9);
  EXPECT_THROW(check_entered(rig.group, 9, 1), InternalError);
  rig.group.advance(10);
  EXPECT_EQ(rig.group.in_use(), 1u);
  EXPECT_THROW(check_entered(rig.group, 9, 1), InternalError) << "on by now, but not when it went there";
  EXPECT_NO_THROW(check_entered(rig.group, 10, 1));
}

// A domain's idle period must last until the domain is on again, even if an instruction has issued to it
// before and waits for it.
TEST(Calls, AreInUseAndBusyFromTheCycleInWhichTheDomainIsOn) {
  GroupRig rig = one_asleep(kNaive);
  rig.group.advance(7);
  rig.group.use(7, 1, 7 + 2);
  rig.group.advance(11);
  EXPECT_EQ(rig.count("unit0.idle_periods_10_12"), 1u) << "cycles 0 to 9";
  EXPECT_TRUE(rig.group.domain(0).busy(11));
  EXPECT_FALSE(rig.group.domain(0).busy(12));
  rig.group.advance(20);
  EXPECT_EQ(rig.state(0), PowerState::on) << "idle for long, with an instruction in it";
  rig.group.left(20, 1);
  rig.group.advance(21);
  EXPECT_EQ(rig.state(0), PowerState::uncompensated);
}

/// The units of one class, with a rule (IssueWakes) that decides which sleeping unit an issuing instruction
/// may wake.
struct WakingUnits : UnitDomains {
  explicit WakingUnits(const Wiring& wiring) : UnitDomains(wiring) {}
  DomainSet preferred(Cycle now, LaneMask lanes) const {
    return heddle::preferred(*this, able(lanes), given_.get(now), lanes);
  }
  void given(Cycle now, int unit) { given_.in(now) |= DomainSet{1} << unit; }
  bool on(Cycle now, int unit, LaneMask lanes) {
    group_of(unit).advance(now);
    return !(domains_of(unit, lanes) & ~group_of(unit).awake());
  }
  void entered(Cycle at, int unit, LaneMask lanes) const {
    check_entered(group_of(unit), at, domains_of(unit, lanes));
  }

 private:
  InCycle<DomainSet> given_;
};

class TwoSiblings : public testing::Test {
 protected:
  explicit TwoSiblings(const char* policy = kConventional)
      : units({"int",
               2,
               parameters_of(policy, {3, 4, 2}),
               {},
               false,
               "",
               false,
               StatsScope(registry, "t"),
               make_waking_group}) {
    units.begin(0);
  }
  StatsRegistry registry;
  WakingUnits units;
};

// Unit 0 is on. Unit 1 has been asleep for longer than its break-even time. The second instruction of a cycle
// must wake unit 1.
TEST_F(TwoSiblings, TheSecondInstructionOfACycleWakesTheOther) {
  units.use(0, 0, kAllLanes);
  units.advance(8);
  EXPECT_EQ(units.able(kAllLanes), 3u);
  EXPECT_EQ(units.preferred(8, kAllLanes), 1u) << "that is on";
  units.given(8, 0);
  EXPECT_EQ(units.preferred(8, kAllLanes), 2u) << "has been given none";
  units.use(8, 1, kAllLanes);
  units.given(8, 1);
  EXPECT_EQ(units.preferred(8, kAllLanes), 1u) << "both have: the one that is on";
  units.advance(9);
  EXPECT_EQ(units.preferred(9, kAllLanes), 1u) << "a cycle later, on before waking up";
  units.given(9, 0);
  EXPECT_EQ(units.preferred(9, kAllLanes), 2u) << "waking up counts as up";
  EXPECT_FALSE(units.on(10, 1, kAllLanes));
  EXPECT_TRUE(units.on(11, 1, kAllLanes));
  EXPECT_EQ(units.preferred(11, kAllLanes), 3u);
}

// Unit 0 has been asleep since cycle 3, unit 1 since cycle 7. Only unit 0 has passed its break-even time, so
// the instruction must wake unit 0.
TEST_F(TwoSiblings, OfTwoAsleepTheOneThatHasPaidForItsSleep) {
  units.use(0, 1, kAllLanes);
  units.left(4, 1, kAllLanes);
  units.advance(8);
  EXPECT_EQ(units.preferred(8, kAllLanes), 1u);
}

// The lower half of the lanes has passed its break-even time in cycle 7, the upper half in cycle 9. With
// naive blackout, an instruction may issue only if every half that it uses has passed this time.
TEST(HalvesByIssue, TakeAnInstructionWhoseLanesMayAllWake) {
  constexpr LaneMask kLow = 0x0000ffffu, kHigh = 0xffff0000u;
  StatsRegistry registry;
  WakingUnits units({"int",
                     1,
                     parameters_of(kNaive, {3, 4, 2}),
                     {kLow, kHigh},
                     false,
                     "halves",
                     false,
                     StatsScope(registry, "t"),
                     make_waking_group});
  units.begin(0);
  units.use(0, 0, kHigh);
  units.left(2, 0, kHigh);
  units.advance(7);
  EXPECT_EQ(units.able(kLow), 1u);
  EXPECT_EQ(units.able(kAllLanes), 0u);
  EXPECT_EQ(units.power().takes, 1u);
  EXPECT_EQ(units.power().lanes[0], kLow);
  units.advance(9);
  EXPECT_EQ(units.able(kAllLanes), 1u);
  units.use(9, 0, kAllLanes);
  EXPECT_FALSE(units.on(11, 0, kAllLanes));
  EXPECT_TRUE(units.on(12, 0, kAllLanes));
  EXPECT_NO_THROW(units.entered(12, 0, kAllLanes));
}

/// A random load. Each instruction issues to a domain that accepts instructions. It enters the domain when
/// the domain is on, and occupies the domain for some cycles. Two groups of domains receive the same events.
class Load {
 public:
  Load(const DomainGroupParameters& parameters, int domains, DomainKind kind)
      : every_(parameters, domains, true, kind, true),
        skipping_(parameters, domains, false, kind, true),
        kind_(kind) {}

  void run(Cycle cycles) {
    const std::size_t domains = static_cast<std::size_t>(every_.group.wiring().domains);
    const auto wake_up = static_cast<Cycle>(every_.group.wiring().parameters.wake_up_cycles);
    const GatingPolicy& policy = every_.group.policy();
    std::vector<Cycle> gated(domains, 0), refused(domains, 0);
    for (Cycle now = 0; now < cycles; ++now) {
      for (GroupRig* rig : {&every_, &skipping_}) rig->group.advance(now);
      ASSERT_EQ(every_.group.takes(), skipping_.group.takes()) << now;
      leave(now);
      enter(now, wake_up);
      issue(now);
      const bool pressed = wanted_ != 0 || demand_ > 0;
      Cycle& none = refused[0];
      none = pressed && every_.group.takes() == 0 ? none + 1 : 0;
      ASSERT_LE(none, policy.longest_wait_cycles()) << now;
      for (std::size_t i = 0; i < domains; ++i) {
        const PowerState state = every_.state(static_cast<int>(i));
        ASSERT_EQ(state, skipping_.state(static_cast<int>(i))) << now;
        ASSERT_TRUE(gated[i] == 0 || is_gated(state) || gated[i] >= policy.least_gated_cycles()) << now;
        gated[i] = is_gated(state) ? gated[i] + 1 : 0;
      }
    }
    for (GroupRig* rig : {&every_, &skipping_}) {
      rig->group.settle(cycles);
      rig->group.check_conservation();
    }
    EXPECT_EQ(every_.registry.snapshot(), skipping_.registry.snapshot());
    EXPECT_EQ(sum("unused_wake_ups"), 0u);
    EXPECT_LE(sum("wake_ups"), sum("issued_asleep"));
    EXPECT_EQ(sum("issued_asleep") > 10, !policy.never_gates());
  }

 private:
  struct User {
    DomainSet domains = 0;
    Cycle issued = 0, leaves = kNever;  ///< `leaves` is kNever until the instruction has entered the domain.
  };
  void leave(Cycle now) {
    std::erase_if(users_, [&](const User& user) {
      if (user.leaves > now) return false;
      for (GroupRig* rig : {&every_, &skipping_}) rig->group.left(now, user.domains);
      return true;
    });
  }
  // Lets instructions enter the domains to which they have issued, when these domains are on. A sleeping
  // domain begins to wake when an instruction issues to it, so it must be on after the wake-up time.
  void enter(Cycle now, Cycle wake_up) {
    for (User& user : users_) {
      if (user.leaves != kNever) continue;
      if (user.domains & ~every_.group.awake()) {
        ASSERT_LE(now, user.issued + wake_up);
        continue;
      }
      user.leaves = now + 1 + random_() % 6;
      check_entered(every_.group, now, user.domains);
    }
  }
  void issue(Cycle now) {
    if (now >= phase_end_) {
      phase_end_ = now + 1 + random_() % 300;
      chance_ = std::array{0u, 2u, 10u, 50u, 90u}[random_() % 5];
    }
    const DomainSet all = every_.group.all();
    const bool parts = kind_ == DomainKind::parts;
    if (parts && !wanted_ && random_() % 100 < chance_) wanted_ = static_cast<DomainSet>(random_()) & all;
    if (!parts && demand_ < 2 && random_() % 100 < chance_) ++demand_;
    const int demand = parts ? wanted_ != 0 : demand_;
    const DomainSet wanted = wanted_, takes = every_.group.takes();
    if (parts && wanted_ && !(wanted_ & ~takes)) use(now, std::exchange(wanted_, 0));
    while (!parts && takes && demand_ > 0) {
      DomainSet domain = 0;
      while (!domain) domain = takes & DomainSet{1} << random_() % 32;
      use(now, domain);
      --demand_;
    }
    const DomainInputs inputs{demand + static_cast<int>(random_() % 2), demand, wanted, 0};
    for (GroupRig* rig : {&every_, &skipping_}) rig->group.set_inputs(now, inputs);
  }
  void use(Cycle now, DomainSet domains) {
    for (GroupRig* rig : {&every_, &skipping_}) rig->group.use(now, domains);
    users_.push_back({domains, now, kNever});
  }
  std::uint64_t sum(const std::string& name) const {
    std::uint64_t sum = 0;
    for (const CounterInfo& info : every_.registry.counters())
      if (info.name == name) sum += info.counter->value();
    return sum;
  }

  std::mt19937_64 random_{31};
  GroupRig every_, skipping_;
  DomainKind kind_;
  std::vector<User> users_;
  DomainSet wanted_ = 0;
  int demand_ = 0;
  unsigned chance_ = 0;
  Cycle phase_end_ = 0;
};

TEST(WakeContract, EveryPolicyWakesWhatItLetsBeCalled) {
  int parts = 0;
  for (const auto& [name, entry] : Registry<GatingPolicy>::instance().entries())
    for (const auto& [kind, domains] : {std::pair{DomainKind::alternatives, 1},
                                        {DomainKind::alternatives, 2},
                                        {DomainKind::alternatives, 6},
                                        {DomainKind::parts, 4}})
      for (const Times& times : {Times{}, Times{5, 1, 1}, Times{7, 24, 9}}) {
        SCOPED_TRACE(fmt::format("{}, {} domains, break-even {}", name, domains, times.break_even));
        const DomainGroupParameters parameters = parameters_of(fmt::format("\"{}\"", name), times);
        GatingPolicy::Context context{domains, parameters, kind};
        if (Registry<GatingPolicy>::instance().make(parameters.policy, context)->refuses(kind)) continue;
        parts += kind == DomainKind::parts;
        Load(parameters, domains, kind).run(6000);
        if (testing::Test::HasFailure()) return;
      }
  EXPECT_GE(parts, 9);
}

}  // namespace
}  // namespace heddle::gating_tests::by_issue
