// Grids whose waves access memory differently often: the stretches that are timed, and rates of the gaps
// between stretches, compared with results worked out by hand.

#include <gtest/gtest.h>

#include <cmath>

#include "testbench/estimate/gap_rates.h"
#include "testbench/estimate/grid_stretches.h"

namespace heddle::estimate {
namespace {

GridStretches::Sizes sizes() { return {.ctas = 203, .head = 8, .warm_up = 8, .window = 8, .tail = 3}; }

// The grid has 25 waves of eight CTAs and three more CTAs. Half of the grid is 101 CTAs. A quarter, 50 CTAs,
// holds the head and five windows of eight CTAs. The other stretches have 24 CTAs.
TEST(GridStretches, BeginningMiddleAndEndAreTimedFirst) {
  GridStretches stretches(sizes());
  for (std::uint64_t i = 0; i < 5; ++i) {
    EXPECT_EQ(stretches.stretch_ended(), i == 0);
    EXPECT_EQ(stretches.next()->window.first, 8 + 8 * i);
  }
  for (const std::uint64_t first : {100, 176}) {
    EXPECT_TRUE(stretches.stretch_ended());
    const auto one = stretches.next(), two = stretches.next();
    EXPECT_EQ(one->warm_up.first, first);
    EXPECT_EQ(one->warm_up.count, 8u);
    EXPECT_EQ(one->window.first, first + 8);
    EXPECT_EQ(two->warm_up.count, 0u);
    EXPECT_EQ(two->window.first, first + 16);
  }
  EXPECT_EQ(stretches.ended(), GridStretches::kLeast);
  EXPECT_FALSE(stretches.next().has_value());
  ASSERT_EQ(stretches.gaps().size(), 2u);
  EXPECT_EQ(stretches.gaps()[0].first, 48u);
  EXPECT_EQ(stretches.gaps()[0].count, 52u);
  EXPECT_EQ(stretches.gaps()[1].first, 124u);
  EXPECT_EQ(stretches.gaps()[1].count, 52u);
}

TEST(GridStretches, AFurtherStretchDividesItsGap) {
  GridStretches stretches(sizes());
  while (stretches.next()) continue;
  stretches.go_to(stretches.gaps()[1]);
  EXPECT_EQ(stretches.next()->warm_up.first, 138u);
  EXPECT_FALSE(stretches.stretch_ended());
  stretches.next();
  EXPECT_FALSE(stretches.next().has_value()) << "only one stretch was requested";
  ASSERT_EQ(stretches.gaps().size(), 3u);
  EXPECT_EQ(stretches.gaps()[1].count, 14u);
  EXPECT_FALSE(stretches.holds_stretch(stretches.gaps()[1]));
  EXPECT_TRUE(stretches.holds_stretch(stretches.gaps()[0]));
}

// Three stretches of two equal windows each, whose rates are 1 + segments.
const std::vector<StretchWindow> kOnALine = {{0, 1, 2}, {0, 1, 2}, {1, 3, 4},
                                             {1, 3, 4}, {2, 5, 6}, {2, 5, 6}};

TEST(GapRates, RatesFollowTheAccessesOfTheGap) {
  const GapsEstimate estimate = across_gaps(kOnALine, {{0, 100, 1.5}, {1, 200, 4}}, 0);
  EXPECT_NEAR(estimate.quantity, 100 * 2.5 + 200 * 5, 1e-9);
  EXPECT_NEAR(estimate.half_width, 0, 1e-9);
}

// Of a longer stretch, only the two windows next to the gap count.
TEST(GapRates, FarWindowsDoNotCount) {
  std::vector<StretchWindow> longer = kOnALine;
  longer.insert(longer.begin(), {{0, 0, 9}, {0, 0.5, 9}});
  EXPECT_NEAR(across_gaps(longer, {{0, 100, 1.5}}, 0).quantity, 100 * 2.5, 1e-9);
}

// A gap at 2 segments per instruction lies in the middle of four windows, so each window has the weight 1/4.
// Without measured deviations, three assumed deviations of 5 % count, with two degrees of freedom from the
// windows: the relative deviation is 0.05 * sqrt(3/3) for the one gap, whose two degrees count half.
TEST(GapRates, WindowsDeviateAsInOtherLaunches) {
  const GapsEstimate estimate = across_gaps(kOnALine, {{0, 100, 2}}, 0.05);
  const double rates = 25 * std::sqrt(2 * 2 * 2 + 2 * 4 * 4), deviation = 0.05 * std::sqrt(3.0 / 4);
  EXPECT_NEAR(estimate.half_width, 2.132 * deviation * rates, 1e-9);
  EXPECT_EQ(estimate.weights, (std::vector<double>{25, 25, 25, 25, 0, 0}));
}

// The rate is 1 up to 3 segments per instruction and then rises by 1 per segment. In the gap between the last
// two stretches, the line through all windows is 1/3 away from the gap's own line.
TEST(GapRates, ABentRateWidensTheInterval) {
  std::vector<StretchWindow> bent = kOnALine;
  for (StretchWindow& window : bent) window.rate = window.segments < 4 ? 1 : 3;
  const GapsEstimate estimate = across_gaps(bent, {{1, 100, 3}}, 0);
  EXPECT_NEAR(estimate.quantity, 100, 1e-9);
  EXPECT_NEAR(estimate.half_width, 100 * 2.0 / 3, 1e-9) << "mean rate of all windows: 5/3";
}

// The windows next to the gap access memory equally often, and the gap's CTAs twice as often. The rate may be
// as in the windows or twice as high.
TEST(GapRates, WindowsThatAreAlikeShowNoSlope) {
  const std::vector<StretchWindow> alike = {{0, 1, 2}, {0, 1, 2}, {1, 1, 2}, {1, 1.001, 2}};
  const GapsEstimate estimate = across_gaps(alike, {{0, 100, 2.0005}}, 0);
  EXPECT_NEAR(estimate.quantity, 200, 1e-9);
  EXPECT_NEAR(estimate.half_width, 200, 0.1);
  EXPECT_NEAR(estimate.doubts[0], estimate.half_width, 1e-9);
}

}  // namespace
}  // namespace heddle::estimate
