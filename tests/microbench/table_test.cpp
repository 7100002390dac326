// The committed page says what the model measures.

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "models/core/config_node.h"
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

// Every figure of a preset stands in the page: none is lost to a metric that nothing measures.
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
  EXPECT_NE(text.find("recalled, not verified"), std::string::npos);
}

}  // namespace
}  // namespace heddle::microbench
