// The committed page of microbenchmarks must equal the model's measurements.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "models/core/config_node.h"
#include "tests/microbench/clocks.h"
#include "tests/microbench/measurements.h"
#include "tests/microbench/table.h"

namespace heddle::microbench {
namespace {

std::string page() {
  std::ifstream in("docs/microbenchmarks.md");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void expect_current(const std::string& preset) {
  EXPECT_NE(page().find(section(preset)), std::string::npos)
      << "docs/microbenchmarks.md is out of date for " << preset << ": run scripts/microbench";
}

TEST(Microbenchmarks, PageIsCurrentForFermi) {
  EXPECT_TRUE(page().starts_with(page_head()));
  expect_current("fermi-gtx480");
}
TEST(Microbenchmarks, PageIsCurrentForMaxwell) { expect_current("maxwell-gtx980"); }
TEST(Microbenchmarks, PageIsCurrentForTheMatrixUnit) { expect_current(kMatrixUnit); }

TEST(Microbenchmarks, EveryPublishedFigureIsCompared) {
  const ConfigNode published = parse_config_file("tests/microbench/published.json");
  const std::string text = page();
  for (const ConfigNode& figure : published.find("figures")->items) {
    const ConfigNode* preset = figure.find("preset");
    if (!preset->is_string()) continue;
    EXPECT_FALSE(measurement_of(figure.find("metric")->text).empty()) << figure.find("id")->text;
    EXPECT_NE(text.find(figure.find("source")->text), std::string::npos) << figure.find("id")->text;
  }
  EXPECT_EQ(measurement_of("weight of the board"), "");
}

TEST(Microbenchmarks, SwitchesAreCurrent) {
  EXPECT_NE(page().find(switches()), std::string::npos)
      << "docs/microbenchmarks.md is out of date: run scripts/microbench";
}

TEST(Microbenchmarks, ClocksAreCurrent) {
  EXPECT_NE(page().find(clocks()), std::string::npos)
      << "docs/microbenchmarks.md is out of date: run scripts/microbench";
}

// A measured latency must equal the configured latency. 64-bit operands and addresses may take one cycle
// more, if the collector takes one word per cycle.
TEST(Microbenchmarks, AKernelWithAClockMeasuresTheConfiguredLatencies) {
  for (const std::string& preset : all_presets())
    for (const Clocked& row : measure_by_clock(preset)) {
      const bool wide =
          row.what == "double-precision add" || row.what == "L1" || row.what == "L2" || row.what == "DRAM";
      EXPECT_GE(row.measured, row.configured) << preset << ": " << row.what;
      EXPECT_LE(row.measured, row.configured + (wide ? 1 : 0)) << preset << ": " << row.what;
    }
}

// columns of the table: measurement, measured, published, deviation, source, reason
TEST(Microbenchmarks, EveryDeviationOfMoreThanAQuarterHasItsReason) {
  std::stringstream lines(page());
  int deviations = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t percent = line.find(" % | ");
    if (percent == std::string::npos) continue;
    const double deviation = std::stod(line.substr(line.rfind('|', percent) + 1));
    ++deviations;
    EXPECT_TRUE(std::abs(deviation) <= 25 || !line.ends_with("|  |")) << line;
  }
  EXPECT_GT(deviations, 40);
}

}  // namespace
}  // namespace heddle::microbench
