// Tests the policy that adapts idle-detect (number of idle cycles before gating): ends of epochs, changes of
// idle-detect, and its bounds.

#include <gtest/gtest.h>

#include "models/core/registry.h"
#include "tests/gating/group_rig.h"

namespace heddle::gating_tests {
namespace {

constexpr const char* kAdaptive =
    R"({"type": "adaptive", "base": "naive-blackout", "epoch_cycles": 20, "threshold": 0, "calm_epochs": 2,
        "lowest": 3, "highest": 4})";

/// Returns the power states of a domain from cycle 10 on. The domain is in use up to cycle `last_use`. From
/// the next cycle to cycle 21, an instruction waits for the domain. `every_cycle`: true to
/// run the domain also in cycles in which nothing can change.
std::string states_after(Cycle last_use, Cycle cycles, bool every_cycle) {
  GroupRig rig(parameters_of(kAdaptive, {3, 4, 2}), 1, every_cycle);
  std::string states;
  for (Cycle t = 0; t < cycles; ++t) {
    const bool waits = t > last_use && t < 22;
    rig.cycle(t <= last_use ? 1 : 0, waits, waits);
    states += "oucw"[static_cast<std::size_t>(rig.state(0))];
  }
  return states.substr(10);
}

// The domain is woken in cycle 19, the last cycle of the first epoch. This epoch then has more critical
// wake-ups than permitted, so idle-detect becomes 4 in cycle 20. The domain is on from cycle 22 and sleeps
// after four idle cycles.
TEST(Adaptive, WakeUpInTheLastCycleOfAnEpochCountsInIt) {
  for (const bool every_cycle : {false, true})
    EXPECT_EQ(states_after(11, 28, every_cycle), "ooooouuuucwwoooouu");
}

// The domain is woken in cycle 20, the first cycle of the second epoch, so the wake-up does not count in the
// first epoch. The first epoch has no more critical wake-ups than permitted, and idle-detect stays 3.
TEST(Adaptive, WakeUpInTheFirstCycleOfTheNextEpochDoesNot) {
  for (const bool every_cycle : {false, true})
    EXPECT_EQ(states_after(12, 28, every_cycle), "oooooouuuucwwooouu");
}

class PolicyAlone {
 public:
  explicit PolicyAlone(const std::string& json, int idle_detect = 5) {
    GatingPolicy::Context context{1, parameters_of(json, {idle_detect, 14, 3})};
    policy = Registry<GatingPolicy>::instance().make(context.parameters.policy, context);
    policy->begin(0);
  }
  int epoch(int critical) {
    wake(critical);
    return sleep(1);
  }
  void wake(int times) {
    for (int i = 0; i < times; ++i) query(start + static_cast<Cycle>(i), PowerState::compensated, 1);
  }
  int sleep(int epochs) {
    start += 1000 * static_cast<Cycle>(epochs);
    query(start, PowerState::on, 0);
    return policy->idle_detect_cycles();
  }

  std::unique_ptr<GatingPolicy> policy;
  Cycle start = 0;

 private:
  void query(Cycle now, PowerState state, int demand) {
    const DomainView domain{state, now, now};
    DomainGroupView view{{demand, demand, 0, 0}, DomainKind::alternatives, now, {&domain, 1}};
    (is_gated(state) ? view.gated : view.awake) = 1;
    policy->decide(view);
  }
};

TEST(Adaptive, UpByOneAboveTheThresholdDownByOneAfterFourCalmEpochs) {
  PolicyAlone alone(R"("adaptive")");
  EXPECT_EQ(alone.epoch(5), 5) << "five are not more than five";
  EXPECT_EQ(alone.epoch(6), 6);
  EXPECT_EQ(alone.epoch(6), 7);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(alone.epoch(5), 7);
  EXPECT_EQ(alone.epoch(5), 6) << "the fourth in a row";
  for (int i = 0; i < 3; ++i) EXPECT_EQ(alone.epoch(0), 6);
  EXPECT_EQ(alone.epoch(9), 7) << "the row is broken";
  for (int i = 0; i < 3; ++i) EXPECT_EQ(alone.epoch(0), 7);
  EXPECT_EQ(alone.epoch(0), 6);
}

TEST(Adaptive, StaysWithinItsBounds) {
  PolicyAlone alone(R"("adaptive")");
  for (int i = 0; i < 12; ++i) alone.epoch(100);
  EXPECT_EQ(alone.policy->idle_detect_cycles(), 10);
  for (int i = 0; i < 40; ++i) alone.epoch(0);
  EXPECT_EQ(alone.policy->idle_detect_cycles(), 5);
}

TEST(Adaptive, SkippedEpochsAreCalm) {
  for (int skipped = 0; skipped < 30; ++skipped) {
    PolicyAlone awake(R"("adaptive")"), slept(R"("adaptive")");
    for (PolicyAlone* alone : {&awake, &slept})
      for (const int critical : {6, 6, 6, 6, 0}) alone->epoch(critical);
    for (int i = 0; i < skipped; ++i) awake.epoch(0);
    EXPECT_EQ(slept.sleep(skipped), awake.policy->idle_detect_cycles());
    EXPECT_EQ(slept.epoch(7), awake.epoch(7));
  }
}

// Several epochs end between two calls of the policy. Every wake-up is decided in a call, so only the first
// of these epochs can contain wake-ups; the others are calm.
TEST(Adaptive, EpochBeforeSkippedOnesCounts) {
  PolicyAlone alone(R"({"type": "adaptive", "calm_epochs": 2})");
  alone.wake(6);
  EXPECT_EQ(alone.sleep(1), 6);
  alone.wake(6);
  EXPECT_EQ(alone.sleep(2), 7) << "up, then one calm epoch";
  alone.wake(6);
  EXPECT_EQ(alone.sleep(3), 7) << "up, then down";
}

TEST(Adaptive, CarriesOverToTheNextKernelButEpochsBeginAfresh) {
  PolicyAlone alone(R"("adaptive")");
  alone.epoch(6);
  alone.start += 500;
  alone.policy->begin(alone.start);
  EXPECT_EQ(alone.epoch(6), 7);
}

TEST(Adaptive, PromisesWhatItsBaseDoes) {
  EXPECT_EQ(PolicyAlone(R"("adaptive")").policy->least_gated_cycles(), 15u);
  EXPECT_EQ(PolicyAlone(R"({"type": "adaptive", "base": "conventional"})").policy->least_gated_cycles(), 1u);
  EXPECT_TRUE(PolicyAlone(R"({"type": "adaptive", "base": "none"})").policy->never_gates());
}

TEST(Adaptive, WrongParametersAreNamed) {
  EXPECT_THROW(PolicyAlone(R"("adaptive")", 11), Error);
  EXPECT_THROW(PolicyAlone(R"("adaptive")", 4), Error);
  EXPECT_THROW(PolicyAlone(R"({"type": "adaptive", "base": "sleepy"})"), Error);
  EXPECT_THROW(PolicyAlone(R"({"type": "adaptive", "epoch_cycles": 0})"), Error);
  EXPECT_THROW(PolicyAlone(R"({"type": "naive-blackout", "epoch_cycles": 10})"), Error);
}

}  // namespace
}  // namespace heddle::gating_tests
