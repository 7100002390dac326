// Tests experiments that search for the best combinations of techniques: groups of variants, techniques of
// the user, and tables of results.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "testbench/experiment/clusters.h"
#include "tests/cli/program.h"
#include "tests/experiment/report_table.h"
#include "tests/support/node.h"

namespace heddle::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Searches : public ::testing::Test {
 protected:
  std::string text = R"json({
    "name": "searches", "description": "stacks",
    "base": {"gpu": {"preset": "fermi-gtx480", "sms": 1}, "power": {"technologies": ["./unit.json"]}},
    "sizes": {"quick": {"kernels": ["saxpy", "vector_add"], "launch": "small.json"}},
    "groups": {"parts": ["few", "cmrc", "renamed", "gto", "shrink"]}, "guests": "parts",
    "variants": [
      {"name": "plain"},
      {"name": "few", "set": {"gpu.sm.max_ctas": 4}}, {"name": "cmrc", "with": ["cmrc"]},
      {"name": "renamed", "with": ["virtualization"]}, {"name": "gto", "set": {"gpu.sm.scheduler": "gto"}},
      {"name": "shrink", "with": ["gpu-shrink"]},
      {"combine": "@parts"}],
    "searches": [{"name": "stacks", "from": "@parts", "relative_to": "plain", "keep": 2, "up_to": 4, "best": 3,
      "goals": [{"name": "slow", "metric": "speed"}, {"name": "bounded", "metric": "speed", "limit": "time", "at_most": 1.2}]}],
    "sweeps": [{"name": "tables", "title": "table", "values": [{"name": "as-is", "set": {"power.corners": ["low"]}},
      {"name": "twice", "set": {"power.corners": ["high"]}}, {"name": "as-is-too", "set": {"power.corners": ["nominal"]}}]}],
    "metrics": {"speed": {"expression": "base(cycles) / cycles"}, "time": {"expression": "cycles / base(cycles)"}},
    "figures": [
      {"id": "best", "title": "B", "kind": "table", "x": "variant", "relative_to": "plain", "metrics": ["speed", "time"],
        "variants": "@stacks", "digits": 9},
      {"id": "bounded", "title": "C", "kind": "table", "x": "variant", "relative_to": "plain", "metrics": ["speed", "time"],
        "variants": "@stacks:bounded", "digits": 9},
      {"id": "steps", "title": "W", "kind": "waterfall", "of": "@stacks", "relative_to": "plain", "metrics": ["speed", "time"], "digits": 9},
      {"id": "pull", "title": "T", "kind": "tornado", "of": "few", "sweep": "tables", "variants": ["plain", "few", "cmrc"],
        "metric": "energy.total.total_nj", "digits": 0},
      {"id": "wins", "title": "K", "kind": "winners", "variants": ["plain", "@parts"], "metric": "cycles", "digits": 0},
      {"id": "groups", "title": "G", "kind": "clusters", "variants": "plain", "first": 1, "metrics": [
        {"name": "c", "expression": "cycles"}, {"name": "i", "expression": "ipc"}], "digits": 0}]
  })json";
  std::string unit = R"json({"name": "unit", "description": "what a cycle costs", "values": {
      "cycle-pj": {"value": 1, "low": 1, "high": 2, "source": "test"},
      "area.u.cycles": {"product": [{"config": "gpu.sm.max_ctas"}, {"value": 0.5, "source": "test"}]}},
    "entries": [{"name": "cycle", "structure": "u.cycles", "kind": "leakage", "counter": "sm*.cycles", "coefficient": "cycle-pj"}]})json";
  Folder folder;

  ProgramResult run(std::vector<std::string> more = {}) {
    folder.write("e.json", text);
    folder.write("unit.json", unit);
    more.insert(more.begin(), {"experiment", "e.json", "--out", "out"});
    return run_program(more, folder.path());
  }
  void replace(const std::string& old_text, const std::string& new_text) {
    const std::size_t at = text.find(old_text);
    ASSERT_NE(at, std::string::npos) << old_text;
    text.replace(at, old_text.size(), new_text);
  }
  /// Returns the rows of a figure's table, without the table of leave-one-out ranges that follows it.
  std::vector<std::vector<std::string>> table(const std::string& title) const {
    std::string report = folder.read("out/report.md");
    for (std::size_t at; (at = report.find("\nLowest and highest mean")) != std::string::npos;)
      report.erase(at, report.find("\n<a id", at) - at);
    auto rows = rows_of_table(report, title);
    if (rows.size() > 1) rows.erase(rows.begin() + 1);
    return rows;
  }
};

TEST_F(Searches, BuildOnTheBestOfEverySizeAndGoOnWhereTheyWere) {
  const ProgramResult result = run({"--only", "best", "--only", "bounded"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("search stacks: "));
  EXPECT_THAT(result.out, HasSubstr("stacks of 3 are next"));
  const auto best = table("B"), bounded = table("C");
  ASSERT_EQ(best.size(), 4u) << "three stacks";
  for (std::size_t i = 2; i < best.size(); ++i) EXPECT_GE(std::stod(best[i][1]), std::stod(best[i - 1][1]));
  for (std::size_t i = 1; i < bounded.size(); ++i) EXPECT_LE(std::stod(bounded[i][2]), 1.2);
  EXPECT_THAT(folder.read("out/report.md"), HasSubstr("Search `stacks`, from 5 variants to stacks of 4"));
  EXPECT_THAT(run({"--list"}).out, Not(HasSubstr("renamed+gto+shrink"))) << "a pair of it is refused";
  const std::string report = folder.read("out/report.md");
  const ProgramResult again = run({"--only", "best", "--only", "bounded"});
  EXPECT_THAT(again.out, Not(HasSubstr(" are to be made"))) << "every run is there";
  EXPECT_EQ(folder.read("out/report.md"), report);
}

TEST_F(Searches, OfOneMakesNoStackAndRanksWhatIsListed) {
  replace("\"up_to\": 4", "\"up_to\": 1");
  const ProgramResult result = run({"--only", "best"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, Not(HasSubstr("are next")));
  EXPECT_EQ(table("B").size(), 4u) << "the best three of the five and their pairs";
  EXPECT_THAT(folder.read("out/report.md"),
              HasSubstr("Search `stacks`, of 15 variants as they are listed: slow `speed`; bounded `speed`"));
}

TEST_F(Searches, SharesGoOnWhenAllHaveEndedARound) {
  const bool full = std::getenv("HEDDLE_FULL") != nullptr;
  if (!full) {
    replace(R"(["saxpy", "vector_add"])", R"(["saxpy"])");
    replace("\"up_to\": 4", "\"up_to\": 3");
  }
  const ProgramResult first = run({"--only", "best", "--shard", "1/2"});
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("have no result yet; the search continues when they have"));
  for (int round = 0; round < (full ? 4 : 3); ++round)
    for (const char* share : {"2/2", "1/2"}) ASSERT_EQ(run({"--only", "best", "--shard", share}).status, 0);
  const ProgramResult collected = run({"--only", "best", "--collect"});
  EXPECT_EQ(collected.status, 0) << collected.err;
  EXPECT_EQ(table("B").size(), 4u);
}

// The test adds a price for look-ups of the renaming table to its technology unit.json. This price also
// counts towards the baseline (energy without techniques), although the plain machine has no renaming table.
// This violates a law of energy accounts (account_laws.h), so the run must fail and the error must name the
// law.
TEST_F(Searches, AStackForWhichALawOfTheAccountDoesNotHoldFailsByName) {
  const std::string end = "\"coefficient\": \"cycle-pj\"}";
  unit.insert(unit.find(end) + end.size(), R"json(,
      {"name": "table", "structure": "u.table", "kind": "dynamic", "optional": true,
       "counter": "sm*.partition*.renaming.look_ups", "coefficient": 1})json");
  const ProgramResult result = run({"--only", "best"});
  EXPECT_NE(result.status, 0);
  EXPECT_THAT(result.err, HasSubstr("a law of the account does not hold for u.table"));
  EXPECT_THAT(result.err, HasSubstr("saxpy, renamed"));
}

TEST_F(Searches, AVariantBesideOneThatHoldsItIsNoStackOfItsOwn) {
  replace(R"("parts": ["few", "cmrc", "renamed", "gto", "shrink"])",
          R"("parts": ["few", "tric", "rows", "gto"])");
  replace(R"({"name": "renamed", "with": ["virtualization"]})", R"({"name": "tric", "with": ["tric"]})");
  replace(R"({"name": "shrink", "with": ["gpu-shrink"]})",
          R"({"name": "rows", "with": ["warped-register-file"]})");
  ASSERT_EQ(run({"--only", "best"}).status, 0);
  for (const auto& row : table("B")) EXPECT_THAT(row[0], Not(HasSubstr("tric+rows")));
  const std::string runs = run({"--list"}).out;
  EXPECT_THAT(runs, HasSubstr("few+tric+gto")) << "stacks of three are tried";
  EXPECT_THAT(runs, Not(HasSubstr("few+tric+rows")));
}

TEST_F(Searches, AWaterfallAddsItsVariantsOneByOne) {
  ASSERT_EQ(run({"--only", "steps", "--only", "best"}).status, 0);
  const auto rows = table("W"), best = table("B");
  ASSERT_GE(rows.size(), 3u);
  EXPECT_THAT(rows[0], ElementsAre("step", "step", "without it", "speed", "time"));
  EXPECT_EQ(rows[rows.size() - 2][3], best[1][1]) << "the last step is the stack";
  double before = 1;
  for (std::size_t i = 1; i + 1 < rows.size(); ++i) {
    EXPECT_THAT(rows[i][0], HasSubstr("+ "));
    EXPECT_NEAR(std::stod(rows[i][1]), std::stod(rows[i][3]) - before, 2e-9);
    before = std::stod(rows[i][3]);
  }
  EXPECT_EQ(rows.back()[0], "product of each alone");
  if (has_node()) {
    EXPECT_THAT(folder.read("out/figures/steps.svg"), HasSubstr(">+ "));
    EXPECT_THAT(folder.read("out/report.md"), HasSubstr("(figures/steps.svg)"));
  }
}

TEST_F(Searches, ATornadoHasWhatMovesMostFirst) {
  ASSERT_EQ(run({"--only", "pull"}).status, 0);
  const auto rows = table("T");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_THAT(rows[0], ElementsAre("table", "few", "moved by", "its place", "lowest there", "its value"));
  EXPECT_EQ(rows[1][0], "as-is");
  EXPECT_EQ(rows[2][0], "twice");
  EXPECT_EQ(rows[2][2], rows[1][1]) << "twice the price of a cycle";
  EXPECT_EQ(rows[3][2], "0");
}

TEST_F(Searches, WinnersAndClustersNameWhatTheyFound) {
  ASSERT_EQ(run({"--only", "wins", "--only", "groups"}).status, 0);
  const auto wins = table("K"), groups = table("G");
  ASSERT_EQ(wins.size(), 4u) << "two kernels and the mean";
  EXPECT_THAT(wins[0], ElementsAre("kernel", "lowest", "its value", "place 2", "its value"));
  for (std::size_t i = 1; i < wins.size(); ++i) EXPECT_LE(std::stod(wins[i][2]), std::stod(wins[i][4]));
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[1][1], "2");
  EXPECT_EQ(groups[1][3], "saxpy, vector_add");
}

TEST_F(Searches, TechniquesOfOnesOwnJoinTheStudy) {
  folder.write("mine.json", R"({"description": "half of the CTAs", "set": {"gpu.sm.max_ctas": 2}})");
  const ProgramResult listed = run({"--with", "mine.json", "--list"});
  ASSERT_EQ(listed.status, 0) << listed.err;
  for (const char* name : {", mine\n", "cmrc+mine", "gto+mine"}) EXPECT_THAT(listed.out, HasSubstr(name));
  replace("\"guests\": \"parts\",", "");
  EXPECT_THAT(run({"--with", "mine.json", "--list"}).err,
              HasSubstr("this experiment takes no techniques in addition to its own"));
}

TEST_F(Searches, AreasAreOfTheConfiguration) {
  replace(
      "\"id\": \"wins\", \"title\": \"K\", \"kind\": \"winners\", \"variants\": [\"plain\", \"@parts\"], "
      "\"metric\": \"cycles\"",
      "\"id\": \"wins\", \"title\": \"K\", \"kind\": \"table\", \"x\": \"variant\", \"series\": \"kernel\", "
      "\"variants\": \"few\", \"metric\": \"area.total_mm2\"");
  ASSERT_EQ(run({"--only", "wins"}).status, 0);
  EXPECT_THAT(table("K")[1], ElementsAre("few", "2", "2", "2"));
}

TEST_F(Searches, WhatIsWrongIsSaidInOneLine) {
  const auto refused = [&](const std::string& old_text, const std::string& new_text) {
    const std::string whole = text;
    replace(old_text, new_text);
    const ProgramResult result = run({"--list"});
    text = whole;
    EXPECT_EQ(result.status, 1);
    return result.err;
  };
  EXPECT_THAT(refused("\"variants\": \"@stacks\"", "\"variants\": \"@stocks\""),
              HasSubstr("no group or search \"@stocks\" (allowed: @parts, @stacks)"));
  EXPECT_THAT(refused(", \"at_most\": 1.2", ""), HasSubstr("half of a limit"));
  EXPECT_THAT(refused("\"from\": \"@parts\"", "\"from\": [\"few+cmrc\", \"gto\"]"),
              HasSubstr("\"few+cmrc\" is no single variant"));
  EXPECT_THAT(refused("\"of\": \"few\", ", ""), HasSubstr("\"of\": the variant that it is of"));
  EXPECT_THAT(refused("\"first\": 1, ", ""), HasSubstr("how many clusters"));
  EXPECT_THAT(refused("\"metric\": \"speed\"}", "\"metric\": \"sped\"}"), HasSubstr("no metric \"sped\""));
}

TEST(Clusters, AreAroundTheirMostCentralItems) {
  const auto groups = experiment::choose_medoids({{0}, {1}, {2}, {10}, {11}, {12}}, 2);
  EXPECT_THAT(groups.medoids, ElementsAre(1u, 4u));
  EXPECT_THAT(groups.nearest, ElementsAre(0u, 0u, 0u, 1u, 1u, 1u));
  EXPECT_THAT(groups.distances, ElementsAre(1, 0, 1, 1, 0, 1));
  EXPECT_THAT(experiment::choose_medoids({{3}, {3}}, 1).medoids, ElementsAre(0u)) << "ties: the first";
  EXPECT_THAT(experiment::choose_medoids({{3}, {4}}, 5).medoids, ElementsAre(0u, 1u));
}

TEST(Clusters, ColumnsCountAlike) {
  const auto rows = experiment::standardised({{1, 1000, 5}, {3, 3000, 5}});
  EXPECT_THAT(rows[0], ElementsAre(-1, -1, 0));
  EXPECT_THAT(rows[1], ElementsAre(1, 1, 0));
}

}  // namespace
}  // namespace heddle::test
