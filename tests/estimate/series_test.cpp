// Tests estimates of repeated launches of a kernel: which launches are timed, and how the other launches are
// estimated.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "testbench/estimate/launch_series.h"

namespace heddle::estimate {
namespace {

UntimedCounts counts_of(std::uint64_t instructions) {
  UntimedCounts counts;
  counts.result.warp_instructions = instructions;
  counts.result.global_segments = instructions / 10;
  return counts;
}

struct SeriesRun {
  std::vector<std::uint32_t> timed;
  double cycles = 0, low = 0, high = 0;
};

SeriesRun run_of(int launches, const std::function<std::uint64_t(int)>& size,
                 const std::function<double(int)>& cycles, double paired_share = 0) {
  EstimateParameters parameters;
  parameters.paired_share = paired_share;
  const StatsRegistry stats;
  LaunchSeries series(parameters, stats);
  SeriesRun run;
  const auto add = [&run](const std::vector<LaunchEstimate>& estimates) {
    for (const LaunchEstimate& one : estimates) {
      run.cycles += one.cycles.value;
      run.low += one.cycles.low;
      run.high += one.cycles.high;
    }
  };
  for (int i = 0; i < launches; ++i) {
    const UntimedCounts counts = counts_of(size(i));
    const auto at = LaunchSeries::size_of(static_cast<std::uint32_t>(i), counts);
    if (!series.is_timed(at, run.cycles)) {
      EXPECT_EQ(series.add_untimed(at, counts).like, run.timed.back());
      continue;
    }
    run.timed.push_back(at.index);
    LaunchEstimate e;
    e.instructions = size(i);
    e.cycles = {cycles(i), cycles(i), cycles(i)};
    add(series.add_timed(at, e, run.cycles));
    run.cycles += cycles(i);
    run.low += cycles(i);
    run.high += cycles(i);
  }
  add(series.end());
  return run;
}

TEST(LaunchSeries, AsLongAsNothingSurprisesEverFewerAreTimed) {
  const SeriesRun run = run_of(
      40, [](int) { return 1000; }, [](int) { return 5000.0; });
  EXPECT_EQ(run.timed, (std::vector<std::uint32_t>{0, 1, 5, 21}));
  EXPECT_DOUBLE_EQ(run.cycles, 40 * 5000);
}

// Estimated cycles must be integers, so that the launches add up to the total.
TEST(LaunchSeries, CyclesOfThoseBetweenAreWhole) {
  EstimateParameters parameters;
  const StatsRegistry stats;
  LaunchSeries series(parameters, stats);
  const auto size_of = [](std::uint32_t i) { return LaunchSeries::size_of(i, counts_of(1000)); };
  LaunchEstimate e;
  e.instructions = 1000;
  for (std::uint32_t i : {0, 1}) {
    e.cycles.value = e.cycles.low = e.cycles.high = 1000;
    series.add_timed(size_of(i), e, 1000);
  }
  for (std::uint32_t i : {2, 3}) series.add_untimed(size_of(i), counts_of(1000));
  e.cycles.value = e.cycles.low = e.cycles.high = 1004;
  const std::vector<LaunchEstimate> between = series.add_timed(size_of(4), e, 2000);
  ASSERT_EQ(between.size(), 2u);
  EXPECT_EQ(between[0].launch, 2u);
  EXPECT_EQ(between[0].cycles.value, 1001) << "1001.33";
  EXPECT_EQ(between[1].cycles.value, 1003) << "1002.67";
  EXPECT_LT(between[1].cycles.low, 1003);
}

// The launches become shorter. Each launch takes 300 cycles plus 5 cycles per instruction, so the cycles of
// untimed launches lie on a line between their timed neighbours.
TEST(LaunchSeries, ThoseBetweenLieOnTheLineThroughTheirNeighbours) {
  const auto size = [](int i) { return static_cast<std::uint64_t>(1000 - 20 * i); };
  const auto cycles = [&](int i) { return 300.0 + 5.0 * static_cast<double>(size(i)); };
  const SeriesRun run = run_of(22, size, cycles);
  double whole = 0;
  for (int i = 0; i < 22; ++i) whole += cycles(i);
  EXPECT_NEAR(run.cycles / whole, 1, 1e-4) << "only the last launch may lie off the line";
  EXPECT_LT(run.timed.size(), 8u);
}

// The cycles of the first 20 launches lie on a line; the cycles of later launches do not. The estimate may
// skip only a limited number of launches, so it must notice the change.
TEST(LaunchSeries, LinesEnd) {
  const auto cycles = [](int i) { return i < 20 ? 5000.0 - 200 * i : 1000.0; };
  const SeriesRun run = run_of(
      60, [](int) { return 1000; }, cycles);
  double whole = 0;
  for (int i = 0; i < 60; ++i) whole += cycles(i);
  EXPECT_NEAR(run.cycles / whole, 1, 0.05);
}

TEST(LaunchSeries, ALaunchOfAnotherSizeIsTimed) {
  const SeriesRun run = run_of(
      20, [](int i) { return i == 10 ? 5000 : 1000; }, [](int i) { return i == 10 ? 9000.0 : 5000.0; });
  EXPECT_NE(std::find(run.timed.begin(), run.timed.end(), 10u), run.timed.end());
}

// From launch 12 on, each launch has 100 instructions fewer than the one before. The estimate cannot know
// whether the cycles of untimed launches fall as well (`follows` 1) or not (0). In both cases, its interval
// must contain the exact cycles, and its error must be at most 3 %. If they do not fall, a late launch must
// be timed. Runs that are compared must time the same launches in both cases.
TEST(LaunchSeries, CyclesMayNotFollowTheInstructions) {
  const auto size = [](int i) { return static_cast<std::uint64_t>(i < 12 ? 10000 : 10000 - 100 * (i - 12)); };
  for (const double follows : {0.0, 1.0}) {
    const auto cycles = [&](int i) { return 50000 - follows * 5 * (10000 - static_cast<double>(size(i))); };
    double exact = 0;
    for (int i = 0; i < 45; ++i) exact += cycles(i);
    const SeriesRun run = run_of(45, size, cycles);
    EXPECT_LE(run.low, exact + 45) << "each launch is rounded";
    EXPECT_GE(run.high, exact - 45);
    EXPECT_LT(run.high - run.low, 0.2 * exact);
    EXPECT_NEAR(run.cycles, exact, 0.03 * exact);
    if (follows == 0) EXPECT_GT(run.timed.back(), 25u);
    EXPECT_LT(run.timed.size(), 12u);
  }
  EXPECT_EQ(run_of(
                45, size, [](int) { return 50000.0; }, 0.15)
                .timed,
            run_of(
                45, size, [&](int i) { return 5.0 * static_cast<double>(size(i)); }, 0.15)
                .timed);
}

TEST(LaunchSeries, SurprisesAreFollowed) {
  const auto cycles = [](int i) { return 5000.0 / (1 + 0.02 * i * i); };
  const SeriesRun run = run_of(
      40, [](int) { return 1000; }, cycles);
  double whole = 0;
  for (int i = 0; i < 40; ++i) whole += cycles(i);
  EXPECT_GT(run.timed.size(), 6u);
  EXPECT_LT(run.timed.size(), 30u);
  EXPECT_NEAR(run.cycles / whole, 1, 0.05);
}

TEST(LaunchSeries, OfPairedRunsTheSameAreTimedWhateverTheyTake) {
  const auto size = [](int) { return 1000; };
  const auto timed = [&](const std::function<double(int)>& cycles) {
    return run_of(60, size, cycles, 0.15).timed;
  };
  const auto steady = timed([](int) { return 5000.0; });
  EXPECT_EQ(steady, timed([](int i) { return i % 2 ? 9000.0 : 5000.0; }));
  EXPECT_EQ(steady.size(), 31u) << "every second";
  EXPECT_EQ(steady[2], 3u);
}

TEST(LaunchSeries, OfPairedRunsOnlyLaunchesOfOneSizeAreLeftOut) {
  const SeriesRun run = run_of(
      20, [](int i) { return 1000 + 40 * i; }, [](int) { return 5000.0; }, 0.15);
  EXPECT_EQ(run.timed.size(), 20u);
}

}  // namespace
}  // namespace heddle::estimate
