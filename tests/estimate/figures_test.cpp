// Tests how the values of a whole launch are computed from some timed windows of CTAs. Expected results were
// worked out by hand.

#include <gtest/gtest.h>

#include <cmath>

#include "testbench/estimate/estimate_figures.h"
#include "testbench/estimate/launch_estimate.h"

namespace heddle::estimate {
namespace {

TimedPart part_of(const std::vector<Cycle>& cycles) {
  TimedPart part;
  part.cycles = 1000;
  part.issued = 500;
  part.counters = {500, 40};
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    TimedWindow window;
    window.position = static_cast<double>(i) / static_cast<double>(cycles.size());
    window.cycles = cycles[i];
    window.issued = 100;
    window.counters = {100, 10};
    part.windows.push_back(window);
  }
  return part;
}

double cycles_of(const TimedWindow& window) { return static_cast<double>(window.cycles); }

TEST(Extended, EqualPlacesLeaveNoDoubt) {
  const Interval cycles = extended(part_of({150, 150, 150}), 2000, 1000, cycles_of);
  EXPECT_DOUBLE_EQ(cycles.value, 1000 + 2000 * 1.5);
  EXPECT_DOUBLE_EQ(cycles.low, cycles.value);
  EXPECT_DOUBLE_EQ(cycles.high, cycles.value);
}

// The differences between neighbouring windows are 20 and -20. The variance of a window is
// (400 + 400)/(2 * 2) = 200, the variance of the mean is 200/3, and t(2) = 2.920.
TEST(Extended, TheIntervalIsThatOfNeighbours) {
  const Interval cycles = extended(part_of({140, 160, 140}), 2000, 1000, cycles_of);
  const double rate = 440.0 / 300, half = 2.920 * std::sqrt(200.0 / 3) / 100 * 2000;
  EXPECT_NEAR(cycles.value, 1000 + 2000 * rate, 1e-9);
  EXPECT_NEAR(cycles.high - cycles.value, half, 1e-9);
}

// Two equal windows do not show how much windows deviate. Therefore three assumed deviations of 3 cycles (2 %
// of 150) are added to the measured difference of 0. These four values have the variance 3 * 9/4, and
// t(4) = 2.132.
TEST(Extended, FewPlacesDeviateAsOthersDo) {
  const Interval cycles = extended(part_of({150, 150}), 2000, 1000, cycles_of, 0.02);
  EXPECT_DOUBLE_EQ(cycles.value, 1000 + 2000 * 1.5);
  EXPECT_NEAR(cycles.high - cycles.value, 2.132 * std::sqrt(6.75 / 2) / 100 * 2000, 1e-9);
}

// A trend over the grid does not widen the interval, because only neighbouring windows are compared.
TEST(Extended, WhatStrataDifferByIsNoDoubt) {
  const Interval steady = extended(part_of({100, 110, 120, 130, 140, 150}), 2000, 1000, cycles_of);
  const Interval mixed = extended(part_of({100, 150, 110, 140, 120, 130}), 2000, 1000, cycles_of);
  EXPECT_DOUBLE_EQ(steady.value, mixed.value);
  EXPECT_LT(2 * (steady.high - steady.low), mixed.high - mixed.low);
}

// The only window takes 150 cycles for 100 instructions, and the first timed CTAs (head) take 400 cycles for
// 200 instructions. The interval must include the rate of window and head together, 550/300 cycles per
// instruction.
TEST(Extended, OnePlaceAloneIsHeldAgainstTheHead) {
  TimedPart part = part_of({150});
  part.head.cycles = 400;
  part.head.issued = 200;
  const Interval cycles = extended(part, 2000, 1000, cycles_of);
  EXPECT_DOUBLE_EQ(cycles.value, 1000 + 2000 * 1.5);
  EXPECT_NEAR(cycles.high - cycles.value, 2000 * (550.0 / 300 - 1.5), 1e-9);
  TimedPart two = part_of({150, 150});
  two.head = part.head;
  EXPECT_DOUBLE_EQ(extended(two, 2000, 1000, cycles_of).high, 1000 + 2000 * 1.5);
}

// The first timed CTAs (head) fill the machine one after the other (head_apart), so the interval must not use
// their cycles.
TEST(Extended, OnePlaceIsNotHeldAgainstAHeadApart) {
  TimedPart part = part_of({150});
  part.head_apart = true;
  part.head.cycles = 400;
  part.head.issued = 200;
  EXPECT_DOUBLE_EQ(extended(part, 2000, 1000, cycles_of).high, 1000 + 2000 * 1.5);
}

// Two windows within the grid take 1.5 and 1.6 cycles per instruction. Two more windows are timed at the
// beginning of the grid, and the second of these takes 2.0. The estimated rate must lie between the mean of
// the first two, 1.55, and 2.0.
TEST(Extended, TheRateLiesBetweenABeginningInStepAndTheOtherWindows) {
  TimedPart part = part_of({150, 160});
  const Interval before = extended(part, 2000, 1000, cycles_of);
  part.beginning = part_of({300, 200}).windows;
  const Interval cycles = extended(part, 2000, 1000, cycles_of);
  EXPECT_NEAR(cycles.value, 1000 + 2000 * (1.55 + 2.0) / 2, 1e-9);
  EXPECT_NEAR(cycles.high - cycles.value, before.high - before.value + 2000 * 0.225, 1e-9);
  part.beginning = part_of({300, 155}).windows;
  EXPECT_DOUBLE_EQ(extended(part, 2000, 1000, cycles_of).high, before.high) << "it runs as the other windows";
}

// Two stretches of two windows each. The gap between them accesses memory as often as their mean, so the rate
// of the gap is the mean of the four windows, and counters are extended by equal weights.
TEST(Extended, AGapLiesBetweenItsStretches) {
  TimedPart part = part_of({100, 100, 300, 300});
  for (std::size_t i = 0; i < part.windows.size(); ++i) {
    part.windows[i].first_cta = 100 * (i / 2) + 8 * (i % 2);
    part.windows[i].ctas = 8;
    part.windows[i].segments = static_cast<double>(1 + i / 2);
  }
  part.gaps = {{{16, 84}, 1000, 1.5}};
  const Interval cycles = extended(part, 2000, 1000, cycles_of);
  EXPECT_NEAR(cycles.value, 1000 + 2000 * 2, 1e-6) << "with 1000 instructions that the hardware inserts";
  EXPECT_NEAR(cycles.high, cycles.value, 1e-6);
  EXPECT_EQ(extended_counters(part, 2000), (std::vector<std::uint64_t>{2500, 240}));
  part.gaps = {{{16, 84}, 1000, 2}};
  part.windows[3].counters = part.windows[2].counters = {100, 30};
  EXPECT_EQ(extended_counters(part, 2000), (std::vector<std::uint64_t>{2500, 640}))
      << "as the second stretch";
}

TEST(Extended, CountersGrowAsTheirInstructionsDo) {
  EXPECT_EQ(extended_counters(part_of({150, 150}), 2000), (std::vector<std::uint64_t>{2500, 240}));
  EXPECT_EQ(extended_counters(part_of({}), 0), (std::vector<std::uint64_t>{500, 40}));
}

// If one timed launch represents several launches, the errors of these launches are added linearly. Errors of
// launches that different timed launches represent are independent.
TEST(EstimateTotals, ErrorsAddWithinWhatIsAlike) {
  LaunchEstimate one;
  one.instructions = 10;
  one.cycles = {100, 97, 103};
  one.counters = {7};
  EstimateTotals alike, apart;
  for (int i = 0; i < 4; ++i) alike.add(one, 0);
  for (std::size_t i = 0; i < 4; ++i) apart.add(one, i);
  EXPECT_DOUBLE_EQ(alike.total().cycles.high, 400 + 12);
  EXPECT_DOUBLE_EQ(apart.total().cycles.high, 400 + 6);
  EXPECT_EQ(apart.total().counters, std::vector<std::uint64_t>{28});
  EXPECT_EQ(apart.total().instructions, 40u);
}

TEST(EstimateTotals, TheRunIsToBeKnownNotEachLaunch) {
  const Interval small = {100, 90, 110};
  EstimateTotals totals;
  EXPECT_FALSE(totals.known_within(0.03, 0, small));
  LaunchEstimate large;
  large.cycles = {1000, 990, 1010};
  totals.add(large, 0);
  EXPECT_TRUE(totals.known_within(0.03, 1, small)) << "14 of 1100";
  EXPECT_TRUE(totals.known_within(0.03, 0, small)) << "20 of 1100: errors of a series add";
  EXPECT_FALSE(totals.known_within(0.015, 0, small));
  EXPECT_TRUE(totals.known_within(0.015, 1, small));
}

// An error of 5 has two parts, 3 and 4 (5 = sqrt(3 * 3 + 4 * 4)). The part of 3 is due to effects that no
// timed window shows, so it is added linearly over launches. The part of 4 is independent for each launch.
TEST(EstimateTotals, WhatNoPlaceShowsAddsOverAllLaunches) {
  LaunchEstimate one;
  one.cycles = {100, 95, 105};
  EstimateTotals totals(0.03);
  for (std::size_t i = 0; i < 4; ++i) totals.add(one, i);
  EXPECT_NEAR(totals.total().cycles.high, 400 + std::hypot(12, 8), 1e-9);
  EXPECT_DOUBLE_EQ(totals.cycles(), 400);
}

}  // namespace
}  // namespace heddle::estimate
