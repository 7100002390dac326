#include "testbench/experiment/figure_data.h"

#include <gtest/gtest.h>

#include <cmath>

#include "testbench/experiment/figure_cells.h"

namespace heddle::experiment {
namespace {

TEST(Correlation, AgainstHandComputedValues) {
  EXPECT_NEAR(correlation({1, 2, 3}, {2, 4, 6}), 1, 1e-12);
  EXPECT_NEAR(correlation({1, 2, 3}, {3, 2, 1}), -1, 1e-12);
  // deviations from the means: -1.5 -0.5 0.5 1.5 and -1.5 0.5 -0.5 1.5; correlation r = 4/sqrt(5 * 5)
  EXPECT_NEAR(correlation({1, 2, 3, 4}, {1, 3, 2, 4}), 0.8, 1e-12);
  // deviations from the means: -2 -1 0 1 2 and 0 -1 -1 0 2; correlation r = 5/sqrt(10 * 6)
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

TEST(PublishedFigures, SayWhatTheyAreAShareOf) {
  const Published published = Published::read();
  EXPECT_EQ(published.get("cmrc.wid.energy", "").with_unit(-1), "31.1 % (of the GPU)");
  EXPECT_EQ(published.get("ori.share", "").with_unit(0), "25 % (of the units)");
  EXPECT_EQ(published.get("ori.share", "").with_unit(1), "5 % (of the GPU)");
  EXPECT_EQ(published.get("cmrc.corf", "").share_of(0), "") << "a speed-up";
  EXPECT_EQ(published.get("cmrc.corf", "").share_of(1), "gpu");
  const auto read = [](const std::string& keys) {
    return Published::read_text(R"([{"id": "a", "paper": "P", "where": "1", "metric": "energy saved", )" +
                                keys + "}]");
  };
  EXPECT_NO_THROW(read(R"("value": 3, "unit": "pJ")"));
  EXPECT_NO_THROW(read(R"("value": 3, "unit": "% more", "of": "sm")"));
  EXPECT_ANY_THROW(read(R"("value": 3, "unit": "% more")"));
  EXPECT_ANY_THROW(read(R"("value": 3, "unit": "%", "of": "chip")"));
  EXPECT_ANY_THROW(read(R"("value": [3, 4], "unit": "%", "of": ["sm"])"));
}

// An experiment that compares shares of different wholes, such as a share of the SM's energy with a share of
// the GPU's energy, must be refused.
TEST(PublishedFigures, StandNextToSharesOfTheSameWhole) {
  const Published published = Published::read();
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_SOURCE_FOLDER "/configs/experiments")) {
    if (entry.path().extension() != ".json") continue;
    EXPECT_NO_THROW(published.check(read_experiment(entry.path().string(), "quick"))) << entry.path();
  }
}

// Savings of 50 % and 87.5 % leave 1/2 and 1/8. The geometric mean of these is 1/4, so the mean saving is 75
// %.
TEST(Means, OfSavingsByWhatIsLeft) {
  EXPECT_NEAR(mean_of({50, 87.5}, Mean::geometric_saving), 75, 1e-9);
  EXPECT_NEAR(mean_of({-100, 50}, Mean::geometric_saving), 0, 1e-9);
  EXPECT_TRUE(std::isnan(mean_of({100, 50}, Mean::geometric_saving)));
}

}  // namespace
}  // namespace heddle::experiment
