// Tests docs/reports/README.md. Verdicts must follow the rule that the page states. If a conclusion does not
// hold, the cell "what decides it" of the conclusion must name a cause, or say "open". Runs of a report must
// have checked this cause (key "decides").

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include "models/core/read_file.h"
#include "testbench/experiment/causes.h"

namespace heddle::experiment::index_page {
namespace {

const std::string kReports = HEDDLE_SOURCE_FOLDER "/docs/reports/";

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::size_t begin = 1;
  for (std::size_t end = line.find('|', begin); end != std::string::npos; end = line.find('|', begin)) {
    std::string cell = line.substr(begin, end - begin);
    cell.erase(0, cell.find_first_not_of(' '));
    cell.erase(cell.find_last_not_of(' ') + 1);
    cells.push_back(cell);
    begin = end + 1;
  }
  return cells;
}

struct Row {
  std::string published, measured, verdict, decides, line;
};

// Returns the rows of the papers' tables. Columns: conclusion, published, measured, verdict, what decides it.
std::vector<Row> rows_of(const std::string& page) {
  std::vector<Row> rows;
  const std::regex verdict("holds|reversed|level|contradicts itself");
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t end = std::min(page.find('\n', at), page.size());
    const std::string line = page.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("| ")) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() == 5 && std::regex_match(cells[3], verdict))
      rows.push_back({cells[1], cells[2], cells[3], cells[4], line});
  }
  return rows;
}

std::string page_text() { return read_text_file(kReports + "README.md", "the page"); }

// Returns the numbers in a cell, but not those in link targets: "[8.3](a.md#10) against [9](a.md#11) %" gives
// 8.3 and 9.
std::vector<double> numbers_in(const std::string& cell) {
  const std::regex link(R"(\]\([^)]*\))"), number(R"((^|[^A-Za-z0-9.#])(-?[0-9]+(\.[0-9]+)?))");
  const std::string text = std::regex_replace(cell, link, "]");
  std::vector<double> numbers;
  for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it)
    numbers.push_back(std::stod((*it)[2]));
  return numbers;
}

TEST(ReportsPage, VerdictsFollowTheirRule) {
  int judged = 0;
  for (const Row& row : rows_of(page_text())) {
    const std::vector<double> published = numbers_in(row.published), measured = numbers_in(row.measured);
    if (published.size() != measured.size() || row.verdict.starts_with("contradicts")) continue;
    ++judged;
    const std::string unit = row.published.ends_with("x") ? "x" : "%";
    if (published.size() == 1) {
      EXPECT_EQ(row.verdict, is_near(measured[0], published[0], unit) ? "holds" : "level") << row.line;
      continue;
    }
    ASSERT_EQ(published.size(), 2u) << row.line;
    const bool same =
        (published[0] < published[1]) == (measured[0] < measured[1]) && measured[0] != measured[1];
    EXPECT_EQ(row.verdict, same ? "holds" : "reversed") << row.line;
  }
  EXPECT_GT(judged, 25);
}

TEST(ReportsPage, CausesAreThoseThatTheRunsJudged) {
  const std::regex link(R"(\]\(([a-z-]+)\.md#(cause-[a-z0-9-]+)\))"), verdict("Verdict: ([^\n]*)\\.\n");
  int causes = 0;
  for (const Row& row : rows_of(page_text())) {
    if (!std::regex_match(row.verdict, std::regex("reversed|level"))) continue;
    if (row.decides == "open") continue;
    std::smatch to, found;
    ASSERT_TRUE(std::regex_search(row.decides, to, link)) << row.line;
    const std::string report = read_text_file(kReports + std::string(to[1]) + ".md", "a report"),
                      anchor = "<a id=\"" + std::string(to[2]) + "\"></a>";
    const std::size_t at = report.find(anchor);
    ASSERT_NE(at, std::string::npos) << row.line;
    const std::string section = report.substr(at, report.find("<a id=", at + 1) - at);
    ASSERT_TRUE(std::regex_search(section, found, verdict)) << row.line;
    const std::string judged = found[1];
    EXPECT_EQ(row.decides.starts_with("open"), judged == "open") << row.line;
    if (judged != "open")
      EXPECT_EQ("decided by \"" + row.decides.substr(1, row.decides.find(']') - 1) + "\"", judged)
          << row.line;
    ++causes;
  }
  EXPECT_GE(causes, 15);
}

TEST(ReportsPage, GeneratedSectionsAreCurrent) {
  EXPECT_EQ(std::system("python3 '" HEDDLE_SOURCE_FOLDER "/scripts/reports' index --check"), 0);
}

}  // namespace
}  // namespace heddle::experiment::index_page
