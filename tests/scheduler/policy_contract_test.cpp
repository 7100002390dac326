// Contract (i_scheduler_policy.h) that every registered scheduling policy must fulfil. The tests use
// schedulers that issue one or two instructions per cycle.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "models/core/indexed_vector.h"
#include "tests/scheduler/policy_rig.h"

namespace heddle {
namespace {

template <class Check>
void for_every_policy(Check&& check) {
  const auto& entries = Registry<SchedulerPolicy>::instance().entries();
  ASSERT_GE(entries.size(), 5u);
  for (const auto& [name, entry] : entries)
    for (const int width : {1, 2}) {
      SCOPED_TRACE(fmt::format("{}, width {}", name, width));
      check(ConfigNode::make_string(name), width);
    }
}

/// Gives each warp a random unit class, and makes the units of some classes refuse instructions. Returns the
/// warps of `able` that therefore cannot issue.
WarpSet gate_at_random(PolicyRig& rig, WarpSet able, std::mt19937_64& random) {
  rig.view.unit_unavailable = 0;
  for (UnitView& power : rig.view.units) {
    const auto awake = static_cast<DomainSet>(random() % 4), waking = static_cast<DomainSet>(random() % 4);
    power = {0b11, awake, 0b11 & ~awake & ~waking};
  }
  rig.view.units.back() = {1, 1, 0};
  for (std::size_t w = 0; w < rig.warps.size(); ++w) {
    rig.warps[w].unit = static_cast<isa::UnitClass>(random() % 5);
    if (!rig.view.units[static_cast<std::size_t>(rig.warps[w].unit)].takes)
      rig.view.unit_unavailable |= able & bit_of(key_at<WarpId>(w));
  }
  return rig.view.unit_unavailable;
}

constexpr std::uint64_t kMine = 0x5555555555555555;

TEST(PolicyContract, PicksOnlyWhatIsReadyAndNoMoreThanTheWidth) {
  for_every_policy([](const ConfigNode& choice, int width) {
    PolicyRig rig(choice, kMine, width);
    std::mt19937_64 random(3);
    for (int cycle = 0; cycle < 2000; ++cycle) {
      rig.view.has_instruction = kMine & (random() | random());
      rig.view.long_wait = kMine & random() & random() & random();
      rig.view.lasting_wait = kMine & random() & random() & random() & ~rig.view.long_wait;
      rig.view.drained = kMine & (random() | random());
      const WarpSet waiting = rig.view.long_wait | rig.view.lasting_wait;
      const WarpSet able = rig.view.has_instruction & ~waiting & random();
      const WarpSet ready = able & ~gate_at_random(rig, able, random);
      const WarpSet second = ready & random();
      const auto picks = rig.choose(ready, second);
      ASSERT_LE(picks.size(), static_cast<std::size_t>(width));
      const WarpSet wanting = rig.policy->wanting(rig.view);
      ASSERT_EQ(wanting & ~(ready | rig.view.unit_unavailable), 0u);
      ASSERT_EQ(wanting & (rig.policy->leaving() | ~rig.policy->active()), 0u);
      for (const std::uint32_t warp : picks) {
        ASSERT_TRUE(ready.contains(WarpId(warp))) << "warp " << warp << " in cycle " << cycle;
        ASSERT_TRUE(rig.policy->active().contains(WarpId(warp)));
        ASSERT_TRUE(wanting.contains(WarpId(warp)) || rig.warps[warp].unit == isa::UnitClass::control);
        const auto times = std::count(picks.begin(), picks.end(), warp);
        ASSERT_TRUE(times == 1 || second.contains(WarpId(warp)));
      }
    }
  });
}

// If a policy reports that nothing changes, the SM sleeps. A further call with the same view must then give
// the same answer.
TEST(PolicyContract, SettlesWhenNothingIsReady) {
  for_every_policy([](const ConfigNode& choice, int width) {
    PolicyRig rig(choice, kMine, width);
    std::mt19937_64 random(5);
    for (int round = 0; round < 200; ++round) {
      rig.view.long_wait = kMine & random();
      rig.view.drained = kMine & random();
      rig.choose(kMine & ~rig.view.long_wait & random());
      gate_at_random(rig, rig.view.has_instruction & ~rig.view.long_wait & random(), random);
      int asked = 0;
      do {
        ASSERT_TRUE(rig.choose(0).empty());
        ASSERT_LT(++asked, 70) << "it never settles";
      } while (rig.again);
      const WarpSet active = rig.policy->active(), wanting = rig.policy->wanting(rig.view);
      for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(rig.choose(0).empty());
        ASSERT_FALSE(rig.again);
        ASSERT_EQ(rig.policy->active(), active);
        ASSERT_EQ(rig.policy->wanting(rig.view), wanting);
      }
    }
  });
}

// The SM reads the active set only after the policy has reported a change, so the policy must report every
// change.
TEST(PolicyContract, SaysWhenItsActiveSetHasChanged) {
  for_every_policy([](const ConfigNode& choice, int width) {
    PolicyRig rig(choice, kMine, width);
    std::mt19937_64 random(13);
    for (int cycle = 0; cycle < 2000; ++cycle) {
      const WarpSet active = rig.policy->active(), leaving = rig.policy->leaving();
      rig.view.resident = kMine & (random() | random() | random());
      rig.view.has_instruction = rig.view.resident & (random() | random());
      rig.view.long_wait = rig.view.resident & random() & random();
      rig.view.drained = rig.view.resident & random();
      rig.choose(rig.view.has_instruction & ~rig.view.long_wait & random());
      if (rig.again) continue;
      ASSERT_EQ(rig.policy->active(), active) << "in cycle " << cycle;
      ASSERT_EQ(rig.policy->leaving(), leaving) << "in cycle " << cycle;
    }
  });
}

// Every warp has 30 instructions of all classes. A warp is ready again 4 cycles after an issue, and 60 cycles
// after every seventh issue. All warps must end within the time that they would need one after the other.
TEST(PolicyContract, NoWarpStarves) {
  for_every_policy([](const ConfigNode& choice, int width) {
    PolicyRig rig(choice, kMine, width);
    std::array<int, 64> left{}, ready_at{}, long_until{};
    left.fill(30);
    WarpSet running = kMine;
    int now = 0;
    for (; running && now < 20000; ++now) {
      WarpSet ready = 0;
      rig.view.long_wait = 0;
      for (std::size_t w = 0; w < 64; ++w) {
        if (!running.contains(key_at<WarpId>(w))) continue;
        rig.warps[w].unit = static_cast<isa::UnitClass>((static_cast<std::size_t>(left[w]) * 7 + w) % 5);
        if (long_until[w] > now)
          rig.view.long_wait.add(key_at<WarpId>(w));
        else if (ready_at[w] <= now)
          ready.add(key_at<WarpId>(w));
      }
      rig.view.resident = rig.view.has_instruction = rig.view.drained = running;
      for (const std::uint32_t warp : rig.choose(ready)) {
        ready_at[warp] = now + 4;
        if (left[warp] % 7 == 0) long_until[warp] = now + 60;
        if (--left[warp] > 0) continue;
        running.remove(WarpId(warp));
        rig.policy->on_warp_end(WarpId(warp));
      }
    }
    EXPECT_EQ(running, 0u) << "still running after 20000 cycles";
    EXPECT_LE(now, 32 * 30 * 4 + 32 * 5 * 60);
  });
}

TEST(PolicyContract, TwoRigsAnswerTheSame) {
  for_every_policy([](const ConfigNode& choice, int width) {
    PolicyRig a(choice, kMine, width), b(choice, kMine, width);
    std::mt19937_64 random(11);
    for (int cycle = 0; cycle < 500; ++cycle) {
      const WarpSet ready = kMine & random(), second = ready & random();
      ASSERT_EQ(a.choose(ready, second), b.choose(ready, second));
      ASSERT_EQ(a.again, b.again);
    }
  });
}

}  // namespace
}  // namespace heddle
