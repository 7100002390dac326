// Tests the charts of reports at three widths, in light and dark mode. No label may cover another label or
// extend beyond its picture, texts must have contrast, and series must be distinguishable
// (tests/html/check_pictures.js). Node.js draws the charts without a browser.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "testbench/output/chart.h"
#include "testbench/output/html_page.h"
#include "tests/support/node.h"

namespace heddle::output {
namespace {

using ::testing::HasSubstr;

class Pictures : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_node()) GTEST_SKIP() << "no node";
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name) << text;
    return folder_ + "/" + name;
  }

  static std::string said_by(const std::string& command) {
    std::string text;
    std::array<char, 4096> part{};
    std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    while (std::fgets(part.data(), static_cast<int>(part.size()), pipe)) text += part.data();
    ::pclose(pipe);
    return text;
  }

  static std::string check(const std::string& file) {
    return said_by("node " HEDDLE_SOURCE_FOLDER "/tests/html/check_pictures.js " + file);
  }

  std::string draw(const std::vector<Chart>& charts) const {
    std::string pictures;
    for (std::size_t i = 0; i < charts.size(); ++i)
      pictures += (i ? "," : "") + std::string("{\"file\": \"") + folder_ + "/" + std::to_string(i) +
                  ".svg\", \"width\": 860, \"spec\": " + charts[i].json + "}";
    return said_by("node " + write("draw.js", picture_script(chart_colours(), "[" + pictures + "]")));
  }

  const std::string folder_ =
      testing::TempDir() + "heddle_pictures_" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

std::vector<std::string> names(int count, const std::string& what) {
  std::vector<std::string> all;
  for (int i = 0; i < count; ++i) all.push_back(what + "_" + std::to_string(i * i * 37 + 1));
  return all;
}

BarChart bar_data(int categories, int series) {
  BarChart chart;
  chart.categories = names(categories, "kernel");
  chart.categories.back() = "mean";
  chart.series = names(series, "operand-file+cmrc+tric");
  chart.y = "% of the baseline's";
  for (int s = 0; s < series; ++s) {
    chart.values.emplace_back();
    for (int c = 0; c < categories; ++c) chart.values.back().emplace_back(50 + 40 * std::sin(c + 0.1 * s));
    chart.marks.marks.push_back({static_cast<double>(categories - 1), static_cast<std::size_t>(s), 50.0 + s});
  }
  chart.marks.name = "published";
  return chart;
}

Chart scatter_data(int count) {
  ChartSeries one{"kernels", {}, names(count, "kernel")};
  for (int i = 0; i < count; ++i) one.points.emplace_back(std::cos(i) * std::cos(i * 7), std::sin(i * 3));
  return point_chart({"one", "other", false}, {one});
}

std::vector<Chart> gallery() {
  std::vector<ChartSeries> curves;
  for (int s = 0; s < 14; ++s) {
    curves.push_back({"series " + std::to_string(s), {}, {}});
    for (int x = 0; x < 9; ++x) curves.back().points.emplace_back(x, std::sin(x + s));
  }
  HeatChart map;
  map.rows = map.columns = names(22, "technique");
  for (int r = 0; r < 22; ++r) {
    map.values.emplace_back();
    for (int c = 0; c < 22; ++c) map.values.back().push_back(1 + 0.02 * (r - c));
  }
  map.digits = 3;
  HeatChart places = map;
  places.columns = names(30, "table of prices");
  for (auto& row : places.values) row.resize(30, 7);
  SpanChart steps;
  for (const std::string& name : names(12, "+ technique"))
    steps.rows.push_back({name, 1, 0.9 + 0.02 * static_cast<double>(name.size()), "0.912 " + name});
  steps.line = 0.95;
  BarChart stacked = bar_data(48, 5);
  stacked.stacked = true;
  BarChart points = bar_data(5, 9);
  points.as_points = true;
  return {bar_chart(bar_data(48, 12)),
          bar_chart(bar_data(3, 4)),
          bar_chart(bar_data(20, 2)),
          bar_chart(stacked),
          bar_chart(points),
          scatter_data(48),
          line_chart({"x", "y", false}, curves, {"published", {{3, 1, 0.4}, {3, 2, 0.5}}}),
          area_chart({"cycle", "mW", true}, curves),
          heat_chart(map),
          heat_chart(places),
          span_chart(steps),
          pair_chart("%", {{"a long name of something that is measured", 10, 90}, {"b", 3, 3}})};
}

TEST_F(Pictures, OfAPageHaveNoLabelOverAnotherAtThreeWidths) {
  HtmlPage page("page");
  for (const Chart& chart : gallery()) page.chart(chart);
  EXPECT_THAT(check(write("page.html", page.text())), HasSubstr("72 pictures, 0 problems"));
}

TEST_F(Pictures, OfReportsAreThePagesCharts) {
  EXPECT_EQ(draw(gallery()), "");
  EXPECT_THAT(check(folder_ + "/*.svg"), HasSubstr("12 pictures, 0 problems"));
}

TEST_F(Pictures, AreCheckedForWhatSpoilsThem) {
  ASSERT_EQ(draw({bar_chart(bar_data(20, 4))}), "");
  const auto spoilt = [&](const std::string& edit) {
    const std::string bad = folder_ + "/bad.svg";
    said_by("sed '" + edit + "' " + folder_ + "/0.svg >" + bad);
    return check(bad);
  };
  EXPECT_THAT(spoilt("s/nothing//"), HasSubstr(" 0 problems"));
  EXPECT_THAT(spoilt("s/ y=\"[0-9.]*\"/ y=\"50\"/"), HasSubstr("overlap"));
  EXPECT_THAT(spoilt("s/ x=\"[0-9.]*\"/ x=\"-9\"/"), HasSubstr("leaves the picture"));
  EXPECT_THAT(spoilt("s/#1b1f24/#dddddd/"), HasSubstr("hard to read"));
  EXPECT_THAT(spoilt("s/ d=\"[^\"]*\"/ d=\"M0 0\"/;s/fill:#......;*/fill:#0072b2/"), HasSubstr("look alike"));
}

TEST_F(Pictures, PublishedValuesDoNotCoverMeans) {
  ASSERT_EQ(draw({bar_chart(bar_data(48, 8))}), "");
  std::ifstream in(folder_ + "/0.svg");
  const std::string svg{std::istreambuf_iterator<char>(in), {}};
  EXPECT_THAT(svg, HasSubstr(">published, mean<"));
}

TEST_F(Pictures, AMapHasNoMoreDigitsThanItsValues) {
  HeatChart map;
  map.rows = names(6, "stack");
  map.columns = names(30, "table of prices");
  for (int r = 0; r < 6; ++r) map.values.emplace_back(30, 7 + r);
  map.digits = 0;
  ASSERT_EQ(draw({heat_chart(map)}), "");
  std::ifstream in(folder_ + "/0.svg");
  const std::string svg{std::istreambuf_iterator<char>(in), {}};
  EXPECT_THAT(svg, HasSubstr(">12<"));
  EXPECT_THAT(svg, testing::Not(HasSubstr("7.00")));
}

}  // namespace
}  // namespace heddle::output
