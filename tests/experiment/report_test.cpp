#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "testbench/experiment/published.h"
#include "tests/cli/program.h"

namespace heddle::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class Reports : public ::testing::Test {
 protected:
  void replace(const std::string& old_text, const std::string& new_text) {
    const std::size_t at = text.find(old_text);
    ASSERT_NE(at, std::string::npos) << old_text;
    text.replace(at, old_text.size(), new_text);
  }
  ProgramResult run(std::vector<std::string> more = {}) {
    folder.write("tiny.json", text);
    more.insert(more.begin(), {"experiment", "tiny.json", "--out", "out", "--report"});
    return run_program(more, folder.path());
  }
  std::string text = read_file(source("tests/experiment/tiny.json"));
  Folder folder;
};

TEST_F(Reports, ConclusionsAreOfTheSizeThatTheyWereWrittenFrom) {
  replace("\"sizes\": {", "\"sizes\": {\"one\": {\"kernels\": \"saxpy\", \"launch\": \"small.json\"}, ");
  ASSERT_EQ(run({"--size", "one"}).status, 0);
  for (const char* file : {"out/report.md", "out/report.html"}) {
    const std::string report = folder.read(file);
    EXPECT_THAT(report, HasSubstr("This report shows figures of size one, whose kernels are listed below."))
        << file;
    EXPECT_THAT(report, HasSubstr("Conclusions (size quick): ")) << file;
    EXPECT_THAT(report, HasSubstr("loads and stores")) << "the headlines are these runs' own: " << file;
    EXPECT_THAT(report, Not(HasSubstr("both issue the same"))) << file;
    EXPECT_THAT(report, Not(HasSubstr("all else"))) << file;
  }
  EXPECT_THAT(folder.read("out/report.md"), HasSubstr("[docs/reports/tiny.md](tiny.md#conclusions)."));
  replace("\"size\": \"quick\"", "\"size\": \"none\"");
  EXPECT_THAT(run().err, HasSubstr("opening.size: no size \"none\" (allowed: one, quick)"));
}

TEST_F(Reports, EachSizeMayHaveASummary) {
  replace("\"sizes\": {", "\"sizes\": {\"one\": {\"kernels\": \"saxpy\", \"launch\": \"small.json\"}, ");
  replace("\"summary\": {", "\"summary\": {\"one\": \"one kernel: [[loads|lrr]] %\", ");
  ASSERT_EQ(run({"--size", "one"}).status, 0);
  const std::string one = folder.read("out/report.md");
  EXPECT_THAT(one,
              ContainsRegex("\none kernel: \\[[0-9.]+\\]\\(#loads\\) %\n\nConclusions \\(size quick\\): "));
  EXPECT_THAT(one, Not(HasSubstr("## Conclusions")));
  ASSERT_EQ(run().status, 0);
  const std::string quick = folder.read("out/report.md");
  EXPECT_THAT(quick, HasSubstr(" %\n\n[Conclusions](#conclusions)\n"));
  EXPECT_GT(quick.find("## Conclusions"), quick.find("<a id=\"warps\">"))
      << "conclusions are below the figures";
  replace("\"one\": \"one kernel", "\"none\": \"one kernel");
  EXPECT_THAT(run().err, HasSubstr("no size \"none\" (allowed: one, quick)"));
}

TEST_F(Reports, TextsWhoseNumbersAReportLacksAreLeftOut) {
  replace("\"both issue the same\"", "[\"both issue the same\", \"eight warps: [[warps||8]]\"]");
  ASSERT_EQ(run({"--only", "loads"}).status, 0);
  const std::string loads = folder.read("out/report.md");
  EXPECT_THAT(loads, HasSubstr("both issue the same"));
  EXPECT_THAT(loads, Not(HasSubstr("| lanes |"))) << "the headline lacks its numbers";
  EXPECT_THAT(loads, Not(HasSubstr("eight warps"))) << "the conclusion lacks its number";
  ASSERT_EQ(run({"--only", "ratio"}).status, 0);
  const std::string ratio = folder.read("out/report.md");
  EXPECT_THAT(ratio, HasSubstr("This report shows some figures of size quick"));
  EXPECT_THAT(ratio, Not(HasSubstr("both issue the same"))) << "the summary lacks its number";
}

TEST_F(Reports, ParagraphsTakeTheirNumbersFromFiguresAndFromWhatIsPublished) {
  const std::string words =
      "of [[loads|gto]], and [[loads|gto|||saxpy]] of one ([[published:wg.hotspot.idle.conv|2]]; "
      "[7.1](other.md#loads))";
  replace("\"both issue the same\"", "\"" + words + "\"");
  ASSERT_EQ(run({"--only", "loads"}).status, 0);
  const std::string report = folder.read("out/report.md");
  EXPECT_THAT(report, ContainsRegex("\\* of \\[[0-9]+\\.[0-9][0-9]\\]\\(#loads\\), and "
                                    "\\[[0-9]+\\.[0-9][0-9]\\]\\(#loads\\) of one \\(6\\.5; \\[7\\.1\\]"));
  EXPECT_THAT(folder.read("out/report.html"), ContainsRegex("[0-9] of one \\(6\\.5; 7\\.1\\)"))
      << "a page that stands alone has no links to reports";
  for (const auto& [place, error] : std::vector<std::pair<std::string, std::string>>{
           {"published:none", "\"none\" is not published"},
           {"published:wg.hotspot.idle.conv|7", "\"wg.hotspot.idle.conv\" has no item 7"},
           {"published:wg.hotspot.idle.conv|x", "\"x\" is no item of a published figure"},
           {"loads|none", "no variant \"none\" in figure loads"}}) {
    const std::string before = text;
    replace(words, "[[" + place + "]]");
    EXPECT_THAT(run({"--only", "loads"}).err, HasSubstr(error));
    text = before;
  }
}

TEST_F(Reports, APageShowsThePicturesThatItsOpeningArguesFrom) {
  replace(R"([{"figure": "warps", "value": "8"}, {"figure": "warps", "value": "48"}])",
          R"([{"figure": "loads", "variant": "lrr"}, {"figure": "loads", "variant": "gto"}])");
  ASSERT_EQ(run({"--markdown", "docs.md"}).status, 0);
  EXPECT_THAT(folder.read("docs.md"), HasSubstr("(docs/loads.svg)"));
  EXPECT_THAT(folder.read("docs.md"), Not(HasSubstr("warps.svg")));
  EXPECT_THAT(folder.read("out/report.md"), HasSubstr("(figures/warps.svg)")) << "all pictures lie there";
  EXPECT_FALSE(folder.has("docs/warps.svg"));
}

TEST_F(Reports, ALongTextIsAListOfItsLines) {
  replace("\"description\": \"Two kernels, two schedulers.\"",
          "\"description\": [\"Two kernels,\", \"two schedulers.\"]");
  replace("[\"one thing\", \"another\"]", "[[\"one\", \"thing\"], \"another\"]");
  replace("\"expression\": \"100 * sm.issue.issued_fp / sm.issue.issued\"",
          "\"expression\": [\"100 * sm.issue.issued_fp\", \"/ sm.issue.issued\"]");
  ASSERT_EQ(run({"--only", "loads"}).status, 0);
  const std::string report = folder.read("out/report.md");
  EXPECT_THAT(report, HasSubstr("Two kernels, two schedulers."));
  EXPECT_THAT(report, HasSubstr("* one thing\n* another\n"));
  replace("[\"one\", \"thing\"]", "[]");
  EXPECT_THAT(run().err,
              HasSubstr("differs[0]: a text of no lines (allowed: a string, or a list of its lines)"));
}

TEST_F(Reports, AVariantNamesItsTechniques) {
  replace("{\"name\": \"gto\", ",
          "{\"name\": \"gated\", \"with\": [\"conventional-gating\"]},"
          "{\"name\": \"more\", \"like\": \"gated\", \"with\": [\"cmrc\"]}, {\"name\": \"gto\", ");
  ASSERT_EQ(run({"--only", "loads"}).status, 0);
  const std::string report = folder.read("out/report.md"), page = folder.read("out/report.html");
  EXPECT_THAT(report, HasSubstr("| gated |  | with `conventional-gating` |\n"));
  EXPECT_THAT(report, HasSubstr("| more |  | as gated, and with `cmrc` |\n"));
  EXPECT_THAT(report, HasSubstr("| gto |  | `gpu.sm.scheduler` = `gto` |\n"));
  EXPECT_THAT(page, HasSubstr("as gated, and with cmrc"));
}

TEST_F(Reports, TheListOfKernelsIsTheListThatRan) {
  replace("\"saxpy\", \"vector_add\"", "\"saxpy\", {\"name\": \"slow\", \"launch\": \"" +
                                           source("testbench/kernels/vector_add/small.json") +
                                           "\", \"set\": {\"watch.max_cycles\": 10}}");
  EXPECT_EQ(run({"--only", "ratio"}).status, 1);
  const std::string report = folder.read("out/report.md");
  EXPECT_THAT(report, HasSubstr(" 1 kernel. Unless"));
  const std::size_t begin = report.find("What the launches fill");
  const std::string fill = report.substr(begin, report.find("<a id", begin) - begin);
  EXPECT_THAT(fill, HasSubstr("\n| saxpy | "));
  EXPECT_THAT(fill, Not(HasSubstr("\n| slow | ")));
}

TEST_F(Reports, APatternAndOneOfItsKernelsByItself) {
  replace("\"saxpy\", \"vector_add\"", "\"s*\", {\"name\": \"scan\", \"launch\": \"" +
                                           source("testbench/kernels/saxpy/small.json") + "\"}");
  const std::string list = run({"--list", "--only", "ratio"}).out;
  const auto times = [&list](const std::string& name) {
    std::istringstream lines(list);
    int count = 0;
    for (std::string line; std::getline(lines, line);)
      count += line.find("  " + name + ", lrr") != std::string::npos;
    return count;
  };
  for (const char* name : {"saxpy", "scalar_prod", "suffix_tree", "spmv", "string_search"})
    EXPECT_EQ(times(name), 1) << name;
  EXPECT_EQ(times("scan"), 0) << "the same run as saxpy's";
}

TEST_F(Reports, AShareIsNotSubtractedFromACount) {
  replace("\"kind\": \"bars\", \"unit\": \"%\"", "\"kind\": \"bars\", \"unit\": \"kernels\"");
  ASSERT_EQ(run({"--only", "loads"}).status, 0);
  const std::string report = folder.read("out/report.md");
  EXPECT_THAT(report, ::testing::ContainsRegex("\\| 1 % \\| [0-9.]+ [(][^)]*[)] \\|  \\| \\[Loads"));
  using experiment::in_one_unit;
  EXPECT_TRUE(in_one_unit("% of reads", "%"));
  EXPECT_TRUE(in_one_unit("points", "% faster"));
  EXPECT_FALSE(in_one_unit("%", "benchmarks"));
  EXPECT_FALSE(in_one_unit("x", "%"));
}

}  // namespace
}  // namespace heddle::test
