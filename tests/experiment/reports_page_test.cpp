// docs/reports/README.md: every number that it shows stands in the report behind its link, under that figure.

#include <gtest/gtest.h>

#include <regex>

#include "models/core/read_file.h"

namespace heddle::experiment {
namespace {

TEST(ReportsPage, ShowsTheNumbersOfItsReports) {
  const std::string folder = HEDDLE_SOURCE_FOLDER "/docs/reports/";
  const std::string page = read_text_file(folder + "README.md", "the page");
  const std::regex link(R"(\[([^\]]+)\]\(([A-Za-z0-9-]+\.md)#([^)]+)\))"), number(R"(-?[0-9.]+)");
  int numbers = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), link), end; it != end; ++it) {
    const std::string text = (*it)[1], figure = (*it)[3];
    const std::string report = read_text_file(folder + std::string((*it)[2]), "a report");
    EXPECT_NE(report.find("<a id=\"" + figure + "\"></a>"), std::string::npos) << (*it)[0];
    if (!std::regex_match(text, number)) continue;
    ++numbers;
    EXPECT_NE(report.find("[" + text + "](#" + figure + ")"), std::string::npos) << (*it)[0];
  }
  EXPECT_GT(numbers, 20);
}

}  // namespace
}  // namespace heddle::experiment
