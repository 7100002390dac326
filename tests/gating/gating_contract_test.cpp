// Contract that every registered gating policy must fulfil (i_gating_policy.h), for one, two and six power
// domains. Random instructions arrive, wait for an awake domain, and stay in the domain for some time. The
// group throws an error if a policy puts a domain in use to sleep, or wakes a domain that is not gated.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "models/core/registry.h"
#include "tests/gating/group_rig.h"

namespace heddle::gating_tests {
namespace {

constexpr int kCycles = 12000;

template <class Check>
void for_every_policy(Check&& check) {
  const auto& entries = Registry<GatingPolicy>::instance().entries();
  ASSERT_GE(entries.size(), 5u);
  for (const auto& [name, entry] : entries)
    for (const int domains : {1, 2, 6})
      for (const Times& times : {Times{}, Times{5, 1, 1}, Times{7, 24, 9}}) {
        SCOPED_TRACE(fmt::format("{}, {} domains, break-even {}", name, domains, times.break_even));
        check(parameters_of(fmt::format("\"{}\"", name), times), domains);
        if (testing::Test::HasFailure()) return;
      }
}

class Load {
 public:
  explicit Load(int domains) : users_until_(static_cast<std::size_t>(domains), 0) {}

  struct Inputs {
    DomainSet use = 0;
    int waiting = 0, demand = 0;
  };
  Inputs next(Cycle now, DomainSet awake) {
    if (now >= phase_end_) {
      phase_end_ = now + 1 + random_() % 400;
      arrivals_per_1000_ = std::array{0u, 0u, 20u, 100u, 500u, 1500u}[random_() % 6];
    }
    for (unsigned chance = arrivals_per_1000_; chance > 0; chance -= std::min(chance, 1000u))
      if (random_() % 1000 < chance) ++(random_() % 4 == 0 ? not_ready_ : ready_);
    for (int n = not_ready_; n > 0; --n)
      if (random_() % 8 == 0) --not_ready_, ++ready_;
    Inputs in;
    in.waiting = ready_ + not_ready_;
    in.demand = std::min(ready_, 2);
    served_ = false;
    for (std::size_t i = 0; i < users_until_.size(); ++i) {
      if (users_until_[i] <= now && ready_ > 0 && (awake >> i & 1) && random_() % 4 != 0) {
        --ready_;
        users_until_[i] = now + 1 + random_() % 6;
        served_ = true;
      }
      if (users_until_[i] > now) in.use |= DomainSet{1} << i;
    }
    return in;
  }
  bool served() const { return served_; }

 private:
  std::mt19937_64 random_{17};
  std::vector<Cycle> users_until_;
  int ready_ = 0, not_ready_ = 0;
  unsigned arrivals_per_1000_ = 0;
  Cycle phase_end_ = 0;
  bool served_ = false;
};

TEST(GatingContract, GatedAtLeastAsLongAsPromisedAndStateTimesSum) {
  for_every_policy([](const DomainGroupParameters& parameters, int domains) {
    GroupRig rig(parameters, domains);
    Load load(domains);
    const Cycle least = rig.group.policy().least_gated_cycles();
    ASSERT_GE(least, 1u);
    std::vector<Cycle> gated(static_cast<std::size_t>(domains), 0);
    while (rig.now < kCycles) {
      rig.group.advance(rig.now);
      const Load::Inputs in = load.next(rig.now, rig.group.awake());
      rig.cycle(in.use, in.waiting, in.demand);
      for (int i = 0; i < domains; ++i) {
        Cycle& length = gated[static_cast<std::size_t>(i)];
        const bool ended = length > 0 && !is_gated(rig.state(i));
        ASSERT_TRUE(!ended || length >= least) << "domain " << i << ", cycle " << rig.now - 1;
        length = is_gated(rig.state(i)) ? length + 1 : 0;
      }
      ASSERT_FALSE(rig.group.policy().never_gates() && rig.group.awake() != rig.group.all());
    }
    rig.group.settle(rig.now);
    rig.group.check_conservation();
  });
}

// An instruction may wait for an awake domain at most as long as the sum of two times: the time that the
// policy states (longest_wait_cycles()), and the wake-up time.
TEST(GatingContract, InstructionsFindADomainAwakeWithinTheBound) {
  for_every_policy([](const DomainGroupParameters& parameters, int domains) {
    GroupRig rig(parameters, domains);
    Load load(domains);
    const Cycle bound =
        rig.group.policy().longest_wait_cycles() + static_cast<Cycle>(parameters.wake_up_cycles);
    Cycle waits = 0;
    while (rig.now < kCycles) {
      rig.group.advance(rig.now);
      const Load::Inputs in = load.next(rig.now, rig.group.awake());
      rig.cycle(in.use, in.waiting, in.demand);
      waits = in.demand > 0 && rig.group.awake() == 0 ? waits + 1 : 0;
      ASSERT_LE(waits, bound) << "cycle " << rig.now - 1;
    }
  });
}

// Three groups of power domains get the same inputs and must have the same states. The policy of the first
// group is called in every cycle. The policy of the second group is called when its answer may have changed,
// and the policy of the third group only when inputs change.
TEST(GatingContract, SkippedCyclesChangeNothing) {
  for_every_policy([](const DomainGroupParameters& parameters, int domains) {
    GroupRig every(parameters, domains, true), skipping(parameters, domains), silent(parameters, domains);
    Load load(domains);
    Load::Inputs before;
    while (every.now < kCycles) {
      every.group.advance(every.now);
      const Load::Inputs in = load.next(every.now, every.group.awake());
      for (GroupRig* rig : {&every, &skipping}) rig->cycle(in.use, in.waiting, in.demand);
      if (in.use != before.use || in.waiting != before.waiting || in.demand != before.demand) {
        silent.now = every.now - 1;
        silent.cycle(in.use, in.waiting, in.demand);
        for (int i = 0; i < domains; ++i) ASSERT_EQ(silent.state(i), every.state(i)) << "cycle " << every.now;
      }
      before = in;
      for (int i = 0; i < domains; ++i)
        ASSERT_EQ(skipping.state(i), every.state(i)) << "domain " << i << ", cycle " << every.now - 1;
      ASSERT_EQ(skipping.group.policy().idle_detect_cycles(), every.group.policy().idle_detect_cycles());
    }
    for (GroupRig* rig : {&every, &skipping, &silent}) rig->group.settle(every.now);
    EXPECT_EQ(skipping.registry.snapshot(), every.registry.snapshot());
    EXPECT_EQ(silent.registry.snapshot(), every.registry.snapshot());
  });
}

TEST(GatingContract, EveryKernelBeginsWithAllOn) {
  for_every_policy([](const DomainGroupParameters& parameters, int domains) {
    GroupRig rig(parameters, domains);
    for (int i = 0; i < 100; ++i) rig.cycle(0, 0, 0);
    rig.group.settle(rig.now);
    rig.now += 50;
    rig.group.begin(rig.now);
    EXPECT_EQ(rig.group.awake(), rig.group.all());
    for (int i = 0; i < 100; ++i) {
      rig.cycle(i < 3 ? rig.group.all() : 0, 1, 0);
      ASSERT_TRUE(i >= 3 || rig.group.in_use() == rig.group.all());
    }
    rig.group.settle(rig.now);
    rig.group.check_conservation();
    EXPECT_EQ(rig.count("unit0.on_cycles") + rig.count("unit0.uncompensated_cycles") +
                  rig.count("unit0.compensated_cycles") + rig.count("unit0.wake_up_cycles"),
              200u);
  });
}

}  // namespace
}  // namespace heddle::gating_tests
