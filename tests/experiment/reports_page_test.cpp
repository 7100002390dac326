// Tests pages of docs that quote numbers from reports. Each number must occur in the linked report, under the
// linked figure. All published figures must be in a report. The opening (first section) of each report must
// equal that of its experiment file. Kernels and sizes that pages name must exist.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "models/core/config_node.h"
#include "models/core/read_file.h"
#include "testbench/experiment/experiment_file.h"

namespace heddle::experiment {
namespace {

const std::string kDocs = HEDDLE_SOURCE_FOLDER "/docs/",
                  kKernels = HEDDLE_SOURCE_FOLDER "/testbench/kernels/";

std::string part_of(const std::string& report, const std::string& figure) {
  const std::size_t begin = report.find("<a id=\"" + figure + "\"></a>");
  if (begin == std::string::npos) return {};
  return report.substr(begin, report.find("<a id=", begin + 1) - begin);
}

int numbers_of(const std::string& page) {
  const std::string text = read_text_file(page, "the page");
  const std::regex link(R"(\[([^\]]+)\]\((?:reports/)?([A-Za-z0-9-]+\.md)#([^)]+)\))"),
      number(R"(-?[0-9.]+)");
  int numbers = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
    const std::string shown = (*it)[1], figure = (*it)[3], file = kDocs + "reports/" + std::string((*it)[2]);
    if (!std::filesystem::exists(file)) continue;
    const std::string report = read_text_file(file, "a report");
    EXPECT_NE(report.find("<a id=\"" + figure + "\"></a>"), std::string::npos) << page << ": " << (*it)[0];
    if (!std::regex_match(shown, number)) continue;
    ++numbers;
    EXPECT_TRUE(report.find("[" + shown + "](#" + figure + ")") != std::string::npos ||
                part_of(report, figure).find("| " + shown + " |") != std::string::npos)
        << page << ": " << (*it)[0];
  }
  return numbers;
}

TEST(ReportsPage, ShowsTheNumbersOfItsReports) { EXPECT_GT(numbers_of(kDocs + "reports/README.md"), 20); }

TEST(ReportsPage, OtherPagesShowThemToo) {
  int numbers = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kDocs))
    if (entry.path().extension() == ".md") numbers += numbers_of(entry.path().string());
  EXPECT_GE(numbers, 5);
}

// for each paper: the prefix of the ids of the paper's figures, and the report with all these figures
const std::vector<std::pair<std::string, std::string>> kPapers{{"hier.", "register-hierarchy"},
                                                               {"virt.", "virtualization"},
                                                               {"cmrc.", "cmrc"},
                                                               {"wg.", "warped-gates"},
                                                               {"ori.", "origami"},
                                                               {"wrf.", "warped-register-file"},
                                                               {"prf.", "pilot-register-file"},
                                                               {"hyb.", "hybrid"},
                                                               {"bow.", "guests"},
                                                               {"wc.", "guests"},
                                                               {"ltrf.", "guests"},
                                                               {"guest.", "guests"},
                                                               {"core.", "modern-core"}};

TEST(PublishedFigures, StandInTheOneTableThatEveryReportHas) {
  std::size_t figures = 0;
  const ConfigNode all =
      parse_config_text(read_text_file(HEDDLE_SOURCE_FOLDER "/configs/published.json", "figures"), "figures");
  for (const auto& [prefix, name] : kPapers) {
    const std::string report = read_text_file(kDocs + "reports/" + name + ".md", "a report");
    const std::size_t begin = report.find("## Measured and published figures");
    ASSERT_NE(begin, std::string::npos) << name;
    const std::string table = report.substr(begin, report.find("<a id=", begin) - begin);
    for (const ConfigNode& figure : all.items) {
      if (figure.find("id")->text.rfind(prefix, 0) != 0) continue;
      ++figures;
      EXPECT_NE(table.find("| " + figure.find("metric")->text), std::string::npos)
          << name << ": " << figure.find("id")->text;
    }
  }
  EXPECT_EQ(figures, all.items.size()) << "each belongs to one of the reports";
}

TEST(PublishedFigures, ThatNoRunGivesSayWhereTheyStand) {
  for (const auto& [prefix, name] : kPapers) {
    const ExperimentFile file = read_experiment(HEDDLE_SOURCE_FOLDER "/configs/experiments/" + name + ".json",
                                                name == "virtualization" ? "table-1" : "quick");
    for (const auto& [id, place] : file.elsewhere) EXPECT_GT(place.size(), 10u) << id;
  }
}

std::vector<std::string> claims_of(const ExperimentFile& file) {
  std::vector<std::string> all;
  for (const auto* texts :
       {&file.opening.holds, &file.opening.differs, &file.opening.decides, &file.opening.open})
    all.insert(all.end(), texts->begin(), texts->end());
  return all;
}

std::vector<std::string> paragraphs_of(const ExperimentFile& file) {
  std::vector<std::string> all = claims_of(file);
  for (const auto& [size, summary] : file.opening.summary) all.push_back(summary);
  return all;
}

// Returns the words of a report's description and summary: all before the first table of runs or the next
// section, except headings, tables, and the link to the conclusions.
std::size_t words_of_opening(const std::string& report) {
  const std::regex target(R"(\]\([^)]*\))"),
      made("^(Generated|Made|Written) by `|^## (?!In short)|^Conclusions \\(size ");
  std::istringstream lines(report);
  std::size_t words = 0;
  for (std::string line; std::getline(lines, line) && !std::regex_search(line, made);) {
    if (line.rfind("#", 0) == 0 || line.rfind("|", 0) == 0 || line.rfind("[Conclusions]", 0) == 0) continue;
    std::istringstream text(std::regex_replace(line, target, "]"));
    words += static_cast<std::size_t>(
        std::distance(std::istream_iterator<std::string>(text), std::istream_iterator<std::string>()));
  }
  return words;
}

TEST(Openings, HaveAtMost120Words) {
  EXPECT_EQ(words_of_opening(
                "# a\n\nfour [words](b.md) and two\n\n| a b |\n\n[Conclusions](#c)\n\nGenerated by `heddle`"),
            4u);
  std::size_t pages = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kDocs + "reports")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".md" || name == "README") continue;
    const std::string report = read_text_file(entry.path().string(), "a report");
    ++pages;
    EXPECT_LE(words_of_opening(report), 120u) << name;
  }
  EXPECT_GT(pages, 30u);
}

TEST(Openings, LeadToTheConclusions) {
  const std::regex elsewhere(R"(\]\(([a-z-]+\.md)#conclusions\))");
  for (const auto& entry : std::filesystem::directory_iterator(kDocs + "reports")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".md" || name.find("-real") != std::string::npos) continue;
    const std::string report = read_text_file(entry.path().string(), "a report");
    if (report.find("## In short") == std::string::npos || name == "kernel-clusters") continue;
    std::smatch link;
    const std::string page = std::regex_search(report, link, elsewhere)
                                 ? read_text_file(kDocs + "reports/" + std::string(link[1]), "a report")
                                 : report;
    EXPECT_NE(page.find("<a id=\"conclusions\"></a>"), std::string::npos) << name;
  }
}

ExperimentFile experiment_of(const std::string& name) {
  return read_experiment(HEDDLE_SOURCE_FOLDER "/configs/experiments/" + name + ".json",
                         name == "virtualization" ? "table-1" : "quick");
}

TEST(Openings, OfReportsAreThoseOfTheirFiles) {
  const std::regex number(R"(\[\[[^\]]*\]\])");
  for (const auto& [prefix, name] : kPapers) {
    const std::string report = read_text_file(kDocs + "reports/" + name + ".md", "a report");
    for (const std::string& text : claims_of(experiment_of(name))) {
      std::size_t at = report.find("* " + text.substr(0, text.find("[[")));
      for (std::sregex_token_iterator part(text.begin(), text.end(), number, -1), end; part != end; ++part) {
        if (at != std::string::npos) at = report.find(part->str(), at);
        EXPECT_NE(at, std::string::npos) << name << ": " << text;
      }
    }
  }
}

// In the text that opens a report, measured and published numbers must be references, which Heddle replaces
// by the values: [[figure|...]] and [[published:id]]. A number from another report must be a link. Other
// numbers may be typed as digits only if they are sizes, settings, or numbers that a paper compares.
TEST(Openings, TakeTheirNumbersFromFigures) {
  const std::regex place(R"(\[\[[^\]]*\]\]|\[[^\]]*\]\([^)]*\))"),
      typed(
          R"((^|[^0-9A-Za-z.,-])([0-9]+(\.[0-9]+)?( %| points|x )|[0-9]+\.[0-9]+( and| against| instead of| to) [0-9.]+ ))");
  EXPECT_TRUE(std::regex_search("half of it saves 31.1 %", typed));
  EXPECT_TRUE(std::regex_search("12.4 against 3.1 accesses", typed));
  const std::vector<std::string> kept{
      "The paper contradicts itself",      "8.65 % in the mean of the paper's table",
      "Table 5.1's column can be read as", "from 30 % of their issue slots on",
      "Files smaller by 30, 40 and 50 %",  "No number of accesses a cycle fits its three"};
  for (const auto& [prefix, name] : kPapers)
    for (const std::string& text : paragraphs_of(experiment_of(name))) {
      if (std::any_of(kept.begin(), kept.end(),
                      [&](const std::string& words) { return text.find(words) != std::string::npos; }))
        continue;
      const std::string words = std::regex_replace(text, place, "N");
      std::smatch found;
      EXPECT_FALSE(std::regex_search(words, found, typed))
          << name << ": \"" << found.str() << "\" in: " << text;
    }
}

TEST(Openings, ShowWhatTheirFiguresShow) {
  const std::regex link(R"(\[(-?[0-9.]+)\]\(#([^)]+)\))");
  for (const auto& [prefix, name] : kPapers) {
    const std::string report = read_text_file(kDocs + "reports/" + name + ".md", "a report"),
                      claims = report.substr(report.find("<a id=\"conclusions\">")),
                      head = report.substr(0, report.find("Generated by")) + claims;
    int numbers = 0;
    for (std::sregex_iterator it(head.begin(), head.end(), link), end; it != end; ++it, ++numbers)
      EXPECT_NE(part_of(report, (*it)[2]).find("| " + std::string((*it)[1]) + " |"), std::string::npos)
          << name << ": " << (*it)[0];
    EXPECT_GT(numbers, 10) << name;
    numbers_of(kDocs + "reports/" + name + ".md");
    EXPECT_EQ(claims.find(" - "), std::string::npos) << name << ": a number without a value";
  }
}

TEST(ReportPages, SayHowTheyAreMadeAndWhatTheyCost) {
  const std::string page = read_text_file(kDocs + "reports/README.md", "the page");
  const std::regex made("(Generated|Made|Written) by `(heddle experiment|scripts/)");
  for (const auto& entry : std::filesystem::directory_iterator(kDocs + "reports")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".md" || name == "README" || name == "joint-sensitivity") continue;
    if (name == "correlation")
      continue;  // scripts/correlate makes this report, not an experiment; its table names the launches
    const std::string report = read_text_file(entry.path().string(), "a report");
    EXPECT_TRUE(std::regex_search(report, made)) << name;
    EXPECT_NE(report.find("What the launches fill"), std::string::npos) << name;
    EXPECT_NE(page.find("| [" + name + "](" + name + ".md) | "), std::string::npos) << name << ": its cost";
  }
}

// A committed report shows at most three pictures; scripts/reports writes all to results/reports.
TEST(ReportPages, ShowThreePicturesAtMostAndKeepNoOthers) {
  const std::regex picture(R"(!\[[^\]]*\]\(([^)]+\.svg)\))");
  std::set<std::string> shown, kept;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kDocs + "reports")) {
    if (entry.path().extension() == ".svg") kept.insert(entry.path().string());
    if (entry.path().extension() != ".md") continue;
    const std::string report = read_text_file(entry.path().string(), "a report");
    int pictures = 0;
    for (std::sregex_iterator it(report.begin(), report.end(), picture), end; it != end; ++it, ++pictures)
      shown.insert(kDocs + "reports/" + std::string((*it)[1]));
    EXPECT_LE(pictures, 3) << entry.path();
  }
  EXPECT_GT(shown.size(), 20u);
  EXPECT_EQ(kept, shown);
}

TEST(PapersLists, NameKernelsThatAreThere) {
  const std::string page = read_text_file(kDocs + "benchmarks.md", "the page");
  const std::regex named("`([a-z][a-z0-9_]+)`");
  int kernels = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), named), end; it != end; ++it) {
    const std::string name = (*it)[1];
    // these words are names of experiments and their sizes, not of kernels
    if (name == "paper" || name == "small" || name == "all") continue;
    if (std::filesystem::exists(HEDDLE_SOURCE_FOLDER "/configs/experiments/" + name + ".json")) continue;
    EXPECT_TRUE(std::filesystem::exists(kKernels + name + "/kernel.cu")) << name;
    ++kernels;
  }
  EXPECT_GT(kernels, 60);
}

TEST(PapersLists, AreSizesOfTheirExperiments) {
  const std::vector<std::tuple<std::string, std::string, std::size_t>> lists{
      {"register-hierarchy", "table-iii", 36},
      {"virtualization", "table-1", 16},
      {"cmrc", "paper", 20},
      {"warped-gates", "paper", 19},
      {"origami", "small", 16},
      {"warped-register-file", "paper", 15},
      {"pilot-register-file", "paper", 20},
      {"hybrid", "paper", 20}};
  for (const auto& [name, size, kernels] : lists) {
    const ExperimentFile file =
        read_experiment(HEDDLE_SOURCE_FOLDER "/configs/experiments/" + name + ".json", size);
    EXPECT_EQ(file.kernels.size(), kernels) << name;
    EXPECT_TRUE(file.find_sweep("bandwidth")) << name;
  }
}

}  // namespace
}  // namespace heddle::experiment
