// Tests the times of a gated execution unit's wake-up (wake_on) on the whole GPU. The INT pipelines of
// fermi-gtx480 are gated from their fifth idle cycle on. Then one instruction needs one INT pipeline, or two
// instructions need two sibling pipelines. The operand of these instructions is the result of a division on
// an FP pipeline. The result is available 44 cycles after the issue of the division.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/timing/timed_kernel.h"

namespace heddle::timing {
namespace {

const std::string kBody = "div.rn.f32 %f0, %f0, 0f40000000;\nmov.b32 %r0, %f0;\nadd.u32 %r0, %r0, 1;";

Machine gated(const std::string& policy, const std::string& wake_on, int warps = 1) {
  return on("fermi-gtx480", 32 * warps)
      .with("sm.scheduler=lrr")
      .with("sm.gating.int.policy=" + policy)
      .with("sm.gating.int.wake_on=" + wake_on);
}

Cycle issue_of_the_move(const Measured& m, std::uint32_t warp = 0) { return m.of_warp(warp).at(1); }
/// Returns the cycles from the issue of the program's move instruction to the issue of the addition after it.
/// The result is 9 if nothing delays the dispatch of the move.
Cycle latency_of_the_move(const Measured& m) { return m.of_warp(0).at(2) - m.of_warp(0).at(1); }
std::uint64_t of_int(const Measured& m, int unit, const std::string& counter) {
  return m.count(fmt::format("sm0.partition0.gating.int{}.{}", unit, counter));
}

// The operand of the program's move instruction is ready in cycle 49. With `demand`, the unit wakes in cycles
// 50 to 52, and the move issues in 53. With `issue`, the move issues in 49 and the unit is on from 53; an
// awake unit would receive the move in 52.
TEST(WakeOn, OneInstructionUnderBothSettings) {
  const Measured awake = measure(gated("none", "demand"), kBody);
  EXPECT_EQ(issue_of_the_move(awake), 49u);
  EXPECT_EQ(latency_of_the_move(awake), 9u);
  EXPECT_EQ(awake.cycles, 67u);
  for (const char* policy : {"conventional", "naive-blackout", "coordinated-blackout"}) {
    SCOPED_TRACE(policy);
    const Measured demand = measure(gated(policy, "demand"), kBody);
    EXPECT_EQ(issue_of_the_move(demand), 53u);
    EXPECT_EQ(latency_of_the_move(demand), 9u);
    EXPECT_EQ(demand.cycles, 67u + 4u);
    const Measured issue = measure(gated(policy, "issue"), kBody);
    EXPECT_EQ(issue_of_the_move(issue), 49u);
    EXPECT_EQ(latency_of_the_move(issue), 10u);
    EXPECT_EQ(issue.cycles, 67u + 1u);
    EXPECT_EQ(of_int(issue, 0, "issued_asleep"), 1u);
    EXPECT_EQ(of_int(issue, 0, "wake_ups"), 1u);
    EXPECT_EQ(of_int(issue, 1, "wake_ups"), 0u);
  }
}

// With `issue`, the unit wakes while the move's operands are collected. The collection hides the cycle in
// which the wake-up is decided, and two wake-up cycles. Every further wake-up cycle must delay the dispatch.
TEST(WakeOn, CollectionHidesWhatItCanOfTheWakeUp) {
  const auto at = [](int wake_up) {
    return measure(
        gated("conventional", "issue").with(fmt::format("sm.gating.int.wake_up_cycles={}", wake_up)), kBody);
  };
  EXPECT_EQ(latency_of_the_move(at(1)), 9u);
  EXPECT_EQ(latency_of_the_move(at(2)), 9u);
  EXPECT_EQ(latency_of_the_move(at(3)), 10u);
  EXPECT_EQ(latency_of_the_move(at(9)), 16u);
}

// The unit is gated in cycle 6 and in blackout until cycle 65 (break-even time 60). Cycle 66 is the first
// compensated cycle: with `issue`, the move instruction issues in it, and with `demand`, the wake-up is
// decided in it. With conventional gating, the unit wakes before break-even under both settings.
TEST(WakeOn, NothingIssuesToAUnitInBlackout) {
  for (const char* policy : {"naive-blackout", "coordinated-blackout"}) {
    SCOPED_TRACE(policy);
    const std::string even = "sm.gating.int.break_even_cycles=60";
    const Measured demand = measure(gated(policy, "demand").with(even), kBody);
    EXPECT_EQ(issue_of_the_move(demand), 70u);
    EXPECT_EQ(of_int(demand, 0, "critical_wake_ups"), 1u);
    const Measured issue = measure(gated(policy, "issue").with(even), kBody);
    EXPECT_EQ(issue_of_the_move(issue), 66u);
    EXPECT_EQ(latency_of_the_move(issue), 10u);
    EXPECT_EQ(of_int(issue, 0, "critical_wake_ups"), 1u) << "counted the same way";
    EXPECT_EQ(of_int(issue, 0, "early_wake_ups"), 0u);
    const Measured conventional = measure(gated("conventional", "issue").with(even), kBody);
    EXPECT_EQ(issue_of_the_move(conventional), 49u);
    EXPECT_EQ(of_int(conventional, 0, "early_wake_ups"), 1u);
  }
}

// The moves of two warps are ready in cycles 49 and 53. Both wait for the end of the blackout. They then
// issue in the same cycle to two sibling units, and both units wake. But if the second unit wakes only after
// four cycles of shortage (sibling_wake_cycles), both moves go to the first unit.
TEST(WakeOn, TwoInstructionsOfACycleWakeTwoSiblings) {
  const auto at = [](const std::string& policy) {
    return measure(gated(policy, "issue", 2).with("sm.gating.int.break_even_cycles=48"), kBody);
  };
  const Measured both = at("naive-blackout");
  for (int unit : {0, 1}) {
    EXPECT_EQ(issue_of_the_move(both, static_cast<std::uint32_t>(unit)), 54u);
    EXPECT_EQ(of_int(both, unit, "issued_asleep"), 1u);
    EXPECT_EQ(of_int(both, unit, "critical_wake_ups"), 1u);
    EXPECT_EQ(of_int(both, unit, "unused_wake_ups"), 0u);
  }
  const Measured one = at(R"({"type":"naive-blackout","sibling_wake_cycles":4})");
  EXPECT_EQ(of_int(one, 0, "issued_asleep"), 2u);
  EXPECT_EQ(of_int(one, 0, "wake_ups"), 1u);
  EXPECT_EQ(of_int(one, 1, "wake_ups"), 0u);
}

// The first instruction has started the wake-up of a unit. The second instruction must go to the same unit:
// an idle unit is woken only if more instructions issue in one cycle than units are on or waking.
TEST(WakeOn, AnInstructionThatComesLaterGoesToTheUnitThatWakes) {
  const std::string body =
      "div.rn.f32 %f0, %f0, 0f40000000;\nmov.b32 %r0, %f0;\nmov.b32 %r1, %f0;\nadd.u32 %r2, %r2, 1;";
  const Measured m = measure(gated("conventional", "issue"), body);
  EXPECT_EQ(m.of_warp(0), (std::vector<Cycle>{5, 49, 50, 51, 52}));
  EXPECT_EQ(of_int(m, 0, "issued_asleep"), 3u);
  EXPECT_EQ(of_int(m, 0, "wake_ups"), 1u);
  EXPECT_EQ(of_int(m, 1, "wake_ups"), 0u);
}

TEST(WakeOn, TheLoadStoreUnitToo) {
  const auto cycles = [](const std::string& policy, const std::string& wake_on) {
    return measure(
        on("fermi-gtx480")
            .with("sm.scheduler=lrr")
            .with("sm.gating.ldst.policy=" + policy)
            .with("sm.gating.ldst.wake_on=" + wake_on),
        "div.rn.f32 %f0, %f0, 0f40000000;\nld.param.u64 %rd0, [buffer];\nst.global.f32 [%rd0], %f0;");
  };
  const Measured awake = cycles("none", "demand"), demand = cycles("conventional", "demand"),
                 issue = cycles("conventional", "issue");
  EXPECT_EQ(demand.cycles, awake.cycles + 4);
  EXPECT_LT(issue.cycles, demand.cycles);
  EXPECT_EQ(issue.count("sm0.gating.ldst0.issued_asleep"), issue.count("sm0.gating.ldst0.wake_ups"));
}

}  // namespace
}  // namespace heddle::timing
