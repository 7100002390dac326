// heddle why reads stored runs: sums and differences of runs, packs, users' own rules, and errors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/core/config_node.h"
#include "tests/cli/program.h"

namespace heddle::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Why : public ::testing::Test {
 protected:
  void run(const std::string& out, const std::vector<std::string>& more = {},
           const std::string& launch = "hotspot/small") {
    std::vector<std::string> words = {"run",     "--launch", launch, "--gpu", "fermi-gtx480",
                                      "--quiet", "--check",  "off",  "--out", out};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = run_program(words, folder.path());
    ASSERT_EQ(result.status, 0) << result.err;
  }
  ProgramResult why(std::vector<std::string> words) {
    words.insert(words.begin(), "why");
    return run_program(words, folder.path());
  }
  ConfigNode tree(std::vector<std::string> words) {
    words.push_back("--json");
    const ProgramResult result = why(words);
    EXPECT_EQ(result.status, 0) << result.err;
    return parse_config_text(result.out, "why");
  }
  void expect_error(const std::vector<std::string>& words, const std::string& text) {
    const ProgramResult result = why(words);
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(result.err, StartsWith("error: "));
    EXPECT_THAT(result.err, HasSubstr(text));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  Folder folder;
};

double member(const ConfigNode& node, const char* key) { return node.find(key)->number; }

TEST_F(Why, NamesEmptySmsAndThePlaceOfWaits) {
  run("k", {"--profile"}, "n_body/small");
  const ProgramResult result = why({"k/result.json"});
  EXPECT_THAT(result.out, HasSubstr("1. 12 of 15 SMs have no CTA (80.0 % of issue slots): the grid has 3"));
  EXPECT_THAT(result.out, HasSubstr("mostly"));
}

TEST_F(Why, TermsOfADifferenceSumToIt) {
  run("plain");
  run("gates", {"--with", "warped-gates"});
  const ConfigNode own = tree({"gates"}), other = tree({"plain"}),
                   both = tree({"gates/result.json", "--against", "plain"});
  double cycles = 0, energy = 0, own_nj = 0, other_nj = 0;
  for (const ConfigNode& term : both.find("cycles")->items) cycles += member(term, "difference");
  for (const ConfigNode& term : both.find("energy")->items) energy += member(term, "difference");
  for (const ConfigNode& s : own.find("energy")->items) own_nj += member(s, "total_nj");
  for (const ConfigNode& s : other.find("energy")->items) other_nj += member(s, "total_nj");
  const double expected = member(own, "cycles") - member(other, "cycles");
  ASSERT_NE(expected, 0);
  EXPECT_NEAR(cycles, expected, std::abs(expected) * 1e-3);
  EXPECT_NEAR(energy, own_nj - other_nj, std::abs(own_nj - other_nj) * 1e-3);
}

TEST_F(Why, RunsOfOtherProgramsAndAccountsAreNotCompared) {
  run("a", {}, "saxpy/small");
  run("b", {}, "vector_add/small");
  run("c", {"--technology", "gtx480-45nm"}, "saxpy/small");
  expect_error({"a", "--against", "b"}, "the runs have different launches");
  expect_error({"a", "--against", "c"}, "the runs price energy by different accounts");
}

TEST_F(Why, OwnRulesComeFirstAndTheirErrorsNameFileAndLine) {
  run("a", {}, "saxpy/small");
  const auto rules = [&](const std::string& rule) {
    folder.write("own.json", "{\"format\": 1,\n \"rules\": [\n  " + rule + "]}");
  };
  rules(R"({"name": "mine", "of": "memory", "text": "{share:%} of {gpu.sms:2} SMs wait", "try": "nothing"})");
  EXPECT_THAT(why({"a", "--rules", "own.json"}).out, HasSubstr("% of 15.00 SMs wait. Try nothing"));
  rules(R"({"name": "mine", "of": "memory", "text": "{counter('sm.no_such')}"})");
  expect_error({"a", "--rules", "own.json"},
               "own.json:3: rules[0].text: no counter of the run fits 'sm.no_such'");
  rules(R"({"name": "mine", "of": "memory", "when": "1 +", "text": "x"})");
  expect_error({"a", "--rules", "own.json"}, "own.json:3: rules[0].when");
  rules(R"({"name": "mine", "of": "sleep", "text": "x"})");
  expect_error({"a", "--rules", "own.json"}, "own.json:3: rules[0]: no reason of issue slots is \"sleep\"");
  rules(R"({"name": "mine", "of": "memory", "text": "{share"})");
  expect_error({"a", "--rules", "own.json"}, "a brace that does not close");
  rules(R"({"name": "mine", "of": "memory", "text": "x", "what": 1})");
  expect_error({"a", "--rules", "own.json"}, "unknown key \"what\"");
}

TEST_F(Why, OtherFilesAreNoResults) {
  folder.write("x.json", "{}");
  expect_error({"x.json"}, "x.json: not the result of a run");
  expect_error({"missing"}, "missing");
}

}  // namespace
}  // namespace heddle::test
