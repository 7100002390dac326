// Tests forecasts of the untimed rest of a grid. Expected results were worked out by hand.

#include <gtest/gtest.h>

#include <cmath>

#include "testbench/estimate/grid_forecast.h"

namespace heddle::estimate {
namespace {

std::vector<PlacedWindow> windows(const std::vector<double>& rates) {
  std::vector<PlacedWindow> placed;
  for (const double rate : rates) placed.push_back({static_cast<double>(placed.size()), rate});
  return placed;
}

TEST(Forecast, TwoWindowsDoNotShowTheirDeviation) {
  EXPECT_FALSE(forecast(windows({1, 1}), {4, 2}, {}).has_value());
  EXPECT_TRUE(forecast(windows({1, 1, 1}), {4, 2}, {}).has_value());
}

TEST(Forecast, EqualWindowsGoOn) {
  const Rate rate = *forecast(windows({1.5, 1.5, 1.5, 1.5}), {8, 6}, {});
  EXPECT_DOUBLE_EQ(rate.value, 1.5);
  EXPECT_NEAR(rate.half_width, 0, 1e-12);
}

// The timed windows lie at the positions 0, 1 and 2. The untimed rest lies at position 4, three units from
// the centre of the windows. The slope is 0, so the residuals are -1/15, 2/15 and -1/15. The variance is 2/75
// with one degree of freedom, and t(1) = 6.314.
TEST(Forecast, DeviationWidensWithTheDistance) {
  const Rate near = *forecast(windows({1, 1.2, 1}), {4, 2}, {}),
             far = *forecast(windows({1, 1.2, 1}), {8, 10}, {});
  EXPECT_NEAR(near.value, 3.2 / 3, 1e-12);
  EXPECT_NEAR(near.half_width, 6.314 * std::sqrt(2.0 / 75 * (1.0 / 3 + 1.0 / 2 + 9.0 / 2)), 1e-9);
  EXPECT_GT(far.half_width, 1.5 * near.half_width);
}

// The forecast rate of the untimed rest must lie between two rates: the mean of the last three windows (3),
// and the value of these windows' regression line at the position of the rest (7).
TEST(Forecast, ADriftMayEndOrContinue) {
  const Rate rate = *forecast(windows({1, 2, 3, 4}), {6, 4}, {});
  EXPECT_NEAR(rate.value, 5, 1e-12);
  EXPECT_NEAR(rate.half_width, 2, 1e-12);
}

// The first window of timed CTAs takes longer, because the GPU is empty when it begins. The forecast must not
// use this window.
TEST(Forecast, TheFirstWindowsMayBeDropped) {
  const Rate rate = *forecast(windows({1.6, 1, 1, 1, 1, 1}), {12, 12}, {});
  EXPECT_NEAR(rate.value, 1, 1e-12);
  EXPECT_NEAR(rate.half_width, 0, 1e-12);
}

TEST(Forecast, TheEndOfTheGridBoundsTheRest) {
  const Rate rate = *forecast(windows({1, 1, 1}), {8, 10}, 1.5);
  EXPECT_NEAR(rate.value, 1.25, 1e-12);
  EXPECT_NEAR(rate.half_width, 0.25, 1e-12);
}

}  // namespace
}  // namespace heddle::estimate
