// The Verilog of the gating unit implements several gating policies. With random inputs, it must agree with
// each of these policies, for one, two and six power domains. If the RTL replaces the policy in a run, the
// run's counters must not change.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <random>

#include "testbench/cosim/block.h"
#include "tests/cosim/attach_next_to.h"
#include "tests/gating/group_rig.h"

namespace heddle::cosim {
namespace {

using gating_tests::GroupRig;
using gating_tests::parameters_of;
using gating_tests::Times;

/// A group of power domains. It runs in one of three ways: with policy and RTL in lockstep, with the RTL in
/// place of the policy, or with the policy and without RTL.
class Rig : public GroupRig {
 public:
  Rig(const DomainGroupParameters& parameters, int domains, const Mode* mode, bool issue_wakes = false)
      : GroupRig(parameters, domains, true, DomainKind::alternatives, issue_wakes) {
    if (mode) {
      ProbeList list;
      group.probes(ProbeScope(list, "unit"));
      rtl = attach_next_to(*list.parts.at(0).points.at(0), *mode);
    }
    now = 1;
    group.begin(now);
  }
  void next_kernel(Cycle gap) {
    group.settle(now);
    now += gap;
    group.begin(now);
  }
  std::unique_ptr<BlockInstance> rtl;
};

void run_random(Rig& rig, int kernels) {
  std::mt19937_64 random(5);
  for (int kernel = 0; kernel < kernels; ++kernel) {
    const int domains = rig.group.wiring().domains;
    std::vector<Cycle> until(static_cast<std::size_t>(domains), 0);
    const Cycle end = rig.now + 1500 + random() % 40;
    for (unsigned busy = 50, idle = 0; rig.now < end;) {
      if (random() % 100 == 0) busy = std::array{2u, 20u, 80u}[random() % 3], idle = random() % 3;
      rig.group.advance(rig.now);
      const int waiting = idle && random() % 8 ? 0 : static_cast<int>(random() % 5);
      DomainSet use = 0;
      for (int d = 0; d < domains; ++d) {
        Cycle& last = until[static_cast<std::size_t>(d)];
        if ((rig.group.awake() >> d & 1) && random() % 100 < busy) last = rig.now + random() % 5;
        if (last >= rig.now) use |= DomainSet{1} << d;
      }
      rig.cycle(use & (rig.group.awake() | rig.group.in_use()), waiting,
                static_cast<int>(random() % static_cast<unsigned>(waiting + 1)));
    }
    for (Cycle drained = rig.now + 6; rig.now < drained;) rig.cycle(0, 0, 0);
    rig.next_kernel(2 + random() % 90);
  }
  rig.group.settle(rig.now);
}

/// Issues random instructions to domains that wake at issue (wake_on = issue). Each domain is in use for a
/// random number of cycles.
void issue_at_random(Rig& rig, int kernels) {
  std::mt19937_64 random(7);
  for (int kernel = 0; kernel < kernels; ++kernel) {
    std::vector<Cycle> until(static_cast<std::size_t>(rig.group.wiring().domains), 0);
    DomainSet held = 0;
    const Cycle end = rig.now + 1500 + random() % 40;
    for (unsigned busy = 50; rig.now < end || held; ++rig.now) {
      if (random() % 100 == 0) busy = std::array{1u, 10u, 60u}[random() % 3];
      rig.group.advance(rig.now);
      for (int d = 0; d < rig.group.wiring().domains; ++d) {
        const DomainSet bit = DomainSet{1} << d;
        Cycle& last = until[static_cast<std::size_t>(d)];
        if (held & bit) {
          if (!(rig.group.in_use() & bit) || rig.now < last) continue;
          rig.group.left(rig.now, bit);
          held &= ~bit;
        } else if (rig.now < end && (rig.group.takes() & bit) && random() % 100 < busy) {
          rig.group.use(rig.now, bit);
          held |= bit;
          last = rig.now + random() % 9;
        }
      }
      const int waiting = static_cast<int>(random() % 5);
      rig.group.set_inputs(rig.now,
                           {waiting, static_cast<int>(random() % static_cast<unsigned>(waiting + 1)), 0, 0});
    }
    rig.next_kernel(2 + random() % 90);
  }
  rig.group.settle(rig.now);
}

struct Case {
  std::string name, policy;
  int domains;
  std::vector<Times> times;
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  const std::vector<std::pair<std::string, std::string>> policies = {
      {"conventional", R"("conventional")"},
      {"naive", R"("naive-blackout")"},
      {"coordinated", R"("coordinated-blackout")"},
      {"naive_at_break_even", R"({"type":"naive-blackout","least_gated":"break-even"})"},
      {"patient_coordinated",
       R"({"type":"coordinated-blackout","sibling_wake_cycles":4,"least_gated":"break-even"})"},
      {"patient_conventional", R"({"type":"conventional","sibling_wake_cycles":3})"},
      {"adaptive_at_break_even",
       R"({"type":"adaptive","base":{"type":"naive-blackout","least_gated":"break-even"},"epoch_cycles":80,"threshold":1})"},
      {"adaptive_conventional",
       R"({"type":"adaptive","base":"conventional","epoch_cycles":90,"threshold":0,"calm_epochs":2})"},
      {"adaptive_naive",
       R"({"type":"adaptive","base":"naive-blackout","epoch_cycles":120,"threshold":2,"lowest":3})"},
      {"adaptive_coordinated", R"({"type":"adaptive","epoch_cycles":70,"threshold":1,"calm_epochs":1})"}};
  for (const auto& [name, policy] : policies)
    for (const int domains : {1, 2, 6})
      all.push_back(
          {fmt::format("{}_{}", name, domains), policy, domains, {Times{}, Times{5, 1, 1}, Times{7, 33, 9}}});
  all.push_back({"detect_at_once", R"("naive-blackout")", 2, {Times{0, 14, 3}}});
  all.push_back({"widest", R"("coordinated-blackout")", 4, {Times{1023, 1023, 255}}});
  return all;
}

class GatingLockstep : public testing::TestWithParam<Case> {};

TEST_P(GatingLockstep, AgreesInEveryCycle) {
  const Mode mode = Mode::lockstep;
  for (const Times& times : GetParam().times) {
    SCOPED_TRACE(times.break_even);
    Rig own(parameters_of(GetParam().policy, times), GetParam().domains, &mode);
    own.own_cycles = 2;
    ASSERT_NO_THROW(run_random(own, 2)) << "idle-detect counts from the end of their own time";
    Rig rig(parameters_of(GetParam().policy, times), GetParam().domains, &mode);
    ASSERT_NO_THROW(run_random(rig, 4));
    EXPECT_GT(rig.rtl->compared(), 6000u);
    if (times.idle_detect > 100) continue;
    EXPECT_GT(rig.count("unit0.sleeps"), 4u) << "nothing to compare";
    EXPECT_GT(rig.count("unit0.wake_ups"), 2u) << "nothing to compare";
  }
}

TEST_P(GatingLockstep, DrivesAsTheModelDoes) {
  const Mode mode = Mode::drive;
  for (const Times& times : GetParam().times) {
    Rig model(parameters_of(GetParam().policy, times), GetParam().domains, nullptr);
    Rig rtl(parameters_of(GetParam().policy, times), GetParam().domains, &mode);
    run_random(model, 3);
    run_random(rtl, 3);
    const auto &expected = model.registry.counters(), &found = rtl.registry.counters();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(found[i].counter->value(), expected[i].counter->value()) << found[i].full_name();
  }
}

TEST_P(GatingLockstep, AgreesAndDrivesWhereIssueWakes) {
  for (const Times& times : GetParam().times) {
    if (times.idle_detect > 100) continue;
    SCOPED_TRACE(times.break_even);
    const Mode lockstep = Mode::lockstep, drive = Mode::drive;
    Rig beside(parameters_of(GetParam().policy, times), GetParam().domains, &lockstep, true);
    ASSERT_NO_THROW(issue_at_random(beside, 3));
    EXPECT_GT(beside.rtl->compared(), 4000u);
    EXPECT_GT(beside.count("unit0.wake_ups"), 2u) << "nothing to compare";
    Rig driven(parameters_of(GetParam().policy, times), GetParam().domains, &drive, true);
    issue_at_random(driven, 3);
    const auto &expected = beside.registry.counters(), &found = driven.registry.counters();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(found[i].counter->value(), expected[i].counter->value()) << found[i].full_name();
  }
}

INSTANTIATE_TEST_SUITE_P(, GatingLockstep, testing::ValuesIn(cases()),
                         [](const auto& instance) { return instance.param.name; });

TEST(RtlGating, AdaptiveIdleDetectMovesAndIsCompared) {
  const Mode mode = Mode::lockstep;
  Rig rig(parameters_of(R"({"type":"adaptive","base":"naive-blackout","epoch_cycles":60,"threshold":0})", {}),
          2, &mode);
  run_random(rig, 2);
  EXPECT_GT(rig.group.policy().idle_detect_cycles(), 5);
}

TEST(RtlGating, PoliciesWithoutRtlAreNamed) {
  const auto reason_for = [](const std::string& policy, int domains,
                             DomainKind kind = DomainKind::alternatives, bool issue_wakes = false) {
    GroupRig rig(parameters_of(policy, {}), domains, false, kind, issue_wakes);
    ProbeList list;
    rig.group.probes(ProbeScope(list, "unit"));
    return reason_against(*list.parts.at(0).points.at(0));
  };
  EXPECT_EQ(reason_for(R"("none")", 2), "it never gates");
  EXPECT_EQ(reason_for(R"({"type":"adaptive","base":"none"})", 2), "it never gates");
  EXPECT_EQ(reason_for(R"("conventional")", 5),
            "there is no gating_unit of CLUSTERS=5, only of CLUSTERS=1, 2, 4, 6");
  EXPECT_EQ(reason_for(R"("naive-blackout")", 2, DomainKind::parts),
            "there is no RTL of this policy over lanes");
  EXPECT_EQ(reason_for(R"("conventional")", 2, DomainKind::alternatives, true), "");
  EXPECT_EQ(reason_for(R"("conventional")", 6), "");
}

}  // namespace
}  // namespace heddle::cosim
