// Tests combinations of variants of an experiment, and the tables that compare these combinations: pairs,
// Pareto front, ranks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/cli/program.h"
#include "tests/experiment/report_table.h"

namespace heddle::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Stacks : public ::testing::Test {
 protected:
  std::string text = R"json({
    "name": "stacks", "description": "combinations",
    "base": {"gpu": {"preset": "fermi-gtx480", "sms": 1}, "power": {"technologies": ["./unit.json"]}},
    "sizes": {"quick": {"kernels": "saxpy", "launch": "small.json"}},
    "variants": [
      {"name": "plain"},
      {"name": "a", "set": {"gpu.sm.max_ctas": 4}}, {"name": "cmrc", "with": ["cmrc"]},
      {"name": "virtualization", "with": ["virtualization"]}, {"name": "shrink", "with": ["gpu-shrink"]}, {"name": "corf", "with": ["corf"]},
      {"combine": ["a", "cmrc", "virtualization", "shrink", "corf"]}, {"combine": ["a", "cmrc", "virtualization"], "by": 3}],
    "sweeps": [{"name": "tables", "values": [
      {"name": "as-is", "set": {"power.corners": ["low"]}}, {"name": "turned", "set": {"power.corners": ["high"]}}]}],
    "figures": [
      {"id": "pairs", "title": "P", "kind": "pairs", "metric": "cycles / base(cycles)", "relative_to": "plain", "digits": 9},
      {"id": "front", "title": "F", "kind": "front", "metrics": [{"name": "x", "expression": "cycles"},
        {"name": "y", "expression": "0 - cycles"}], "digits": 0},
      {"id": "least", "title": "L", "kind": "front", "metrics": [{"name": "x", "expression": "cycles"},
        {"name": "y", "expression": "cycles * 2"}], "digits": 0},
      {"id": "ranks", "title": "R", "kind": "ranks", "sweep": "tables", "metric": "energy.total.total_nj", "digits": 0,
        "variants": ["plain", "a", "cmrc"]}]
  })json";
  const std::string unit = R"json({"name": "unit", "description": "what a cycle costs", "values": {
      "cycle-pj": {"value": 1, "low": 1, "high": 2, "source": "test"}},
    "entries": [{"name": "cycle", "structure": "u.cycles", "kind": "leakage", "counter": "sm*.cycles", "coefficient": "cycle-pj"}]})json";
  Folder folder;

  ProgramResult run(std::vector<std::string> more = {}) {
    folder.write("e.json", text);
    folder.write("unit.json", unit);
    more.insert(more.begin(), {"experiment", "e.json", "--out", "out"});
    return run_program(more, folder.path());
  }
  std::vector<std::vector<std::string>> table(const std::string& title) const {
    return rows_of_table(folder.read("out/report.md"), title);
  }
};

TEST_F(Stacks, AreAllCombinationsOfTheirSize) {
  const ProgramResult listed = run({"--list"});
  ASSERT_EQ(listed.status, 0) << listed.err;
  for (const char* name : {"a+cmrc", "a+virtualization", "a+shrink", "cmrc+virtualization", "cmrc+shrink",
                           "a+cmrc+virtualization"})
    EXPECT_THAT(listed.out, HasSubstr(name));
  EXPECT_THAT(listed.out, ::testing::Not(HasSubstr("cmrc+a ")));
}

TEST_F(Stacks, PairsHaveTheirOwnValueAboveAndTheirInteractionBelowTheDiagonal) {
  const ProgramResult result = run({"--only", "pairs"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto rows = table("P");
  ASSERT_EQ(rows.size(), 8u);
  EXPECT_THAT(rows[0], ElementsAre("variant", "plain", "a", "cmrc", "virtualization", "shrink", "corf"));
  EXPECT_EQ(rows[4][6], "refused");
  EXPECT_EQ(rows[7][3], "refused");
  const double a = std::stod(rows[3][2]), alone = std::stod(rows[4][3]), both = std::stod(rows[3][3]);
  EXPECT_NEAR(std::stod(rows[4][2]), both / (a * alone), 1e-6) << "below the diagonal";
  EXPECT_GT(both, 0);
}

TEST_F(Stacks, AFrontHasWhatNoOtherBeats) {
  ASSERT_EQ(run({"--only", "front", "--only", "least"}).status, 0);
  const auto all = table("F"), least = table("L");
  ASSERT_GT(all.size(), 3u);
  double before = 0;
  for (std::size_t i = 2; i < all.size(); ++i) {
    EXPECT_GE(std::stod(all[i][1]), before) << "lowest first";
    before = std::stod(all[i][1]);
  }
  for (std::size_t i = 2; i < least.size(); ++i)
    EXPECT_EQ(least[i][1], all[2][1]) << "one measure: the lowest, and what is as low";
}

TEST_F(Stacks, RanksArePlacesInEveryTable) {
  ASSERT_EQ(run({"--only", "ranks"}).status, 0);
  const auto rows = table("R");
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_THAT(rows[0], ElementsAre("variant", "best", "worst", "as-is", "turned"));
  EXPECT_EQ(rows[2][1], "1");
  for (std::size_t i = 2; i < rows.size(); ++i) {
    EXPECT_LE(std::stoi(rows[i][1]), std::stoi(rows[i][2]));
    EXPECT_EQ(rows[i][3], rows[i][4]) << "twice the price of a cycle changes no order";
  }
}

TEST_F(Stacks, WhatIsWrongIsSaidInOneLine) {
  const auto refused = [&](const std::string& old_text, const std::string& new_text) {
    const std::string whole = text;
    const std::size_t at = text.find(old_text);
    EXPECT_NE(at, std::string::npos) << old_text;
    text.replace(at, old_text.size(), new_text);
    const ProgramResult result = run({"--list"});
    text = whole;
    EXPECT_EQ(result.status, 1);
    return result.err;
  };
  EXPECT_THAT(refused("\"by\": 3", "\"by\": 4"),
              HasSubstr("not so many of these variants together (allowed: 2 to 3)"));
  EXPECT_THAT(refused("[\"a\", \"cmrc\", \"virtualization\", \"shrink\", \"corf\"]", "[\"a\", \"b\"]"),
              HasSubstr("no variant \"b\" above"));
  EXPECT_THAT(refused("\"kind\": \"ranks\", \"sweep\": \"tables\"", "\"kind\": \"ranks\""),
              HasSubstr("figure \"ranks\" is not complete"));
  EXPECT_THAT(refused("\"by\": 3}", "\"by\": 2}"), HasSubstr("a second variant named \"a+cmrc\""));
}

}  // namespace
}  // namespace heddle::test
