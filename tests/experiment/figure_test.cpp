#include "testbench/experiment/figure_data.h"

#include <gtest/gtest.h>

#include <cmath>

#include "testbench/experiment/figure_cells.h"

namespace heddle::experiment {
namespace {

TEST(Correlation, AgainstHandComputedValues) {
  EXPECT_NEAR(correlation({1, 2, 3}, {2, 4, 6}), 1, 1e-12);
  EXPECT_NEAR(correlation({1, 2, 3}, {3, 2, 1}), -1, 1e-12);
  // deviations -1.5 -0.5 0.5 1.5 and -1.5 0.5 -0.5 1.5: r = 4/sqrt(5 * 5)
  EXPECT_NEAR(correlation({1, 2, 3, 4}, {1, 3, 2, 4}), 0.8, 1e-12);
  // deviations -2 -1 0 1 2 and 0 -1 -1 0 2: r = 5/sqrt(10 * 6)
  EXPECT_NEAR(correlation({0, 1, 2, 3, 4}, {1, 0, 0, 1, 3}), 5 / std::sqrt(60.0), 1e-12);
  EXPECT_TRUE(std::isnan(correlation({1}, {1})));
  EXPECT_TRUE(std::isnan(correlation({1, 2, 3}, {5, 5, 5}))) << "what does not vary goes with nothing";
  EXPECT_TRUE(std::isnan(correlation({0.1, 0.1, 0.1}, {1, 2, 3})));
}

TEST(PublishedFigures, AreAllReadable) {
  const Published published = Published::read();
  const PublishedFigure& one = published.get("wg.static.conv.int", "");
  EXPECT_EQ(one.text(-1), "20.1");
  EXPECT_EQ(one.paper, "Abdel-Majeed 2016");
  const PublishedFigure& list = published.get("wg.compensated", "");
  EXPECT_EQ(list.items(), 3u);
  EXPECT_EQ(list.text(1), "22.6");
  EXPECT_EQ(list.text(-1), "20.9 / 22.6 / 33.5");
  EXPECT_ANY_THROW(published.get("wg.nothing", "here"));
}

// Of the wake-ups, a half and an eighth remain; the geometric mean is a quarter.
TEST(Means, OfSavingsByWhatIsLeft) {
  EXPECT_NEAR(mean_of({50, 87.5}, Mean::geometric_saving), 75, 1e-9);
  EXPECT_NEAR(mean_of({-100, 50}, Mean::geometric_saving), 0, 1e-9);
  EXPECT_TRUE(std::isnan(mean_of({100, 50}, Mean::geometric_saving)));
}

}  // namespace
}  // namespace heddle::experiment
