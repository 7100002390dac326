// Tests heddle why on stored runs: explanations of one run, differences of two runs, packs, users' own rules,
// and errors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "testbench/comparison/comparison.h"
#include "testbench/output/stored_report.h"
#include "testbench/why/why_text.h"
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

// Removes each member of every object in the tree, one at a time, and calls `read` without this member. In a
// list, only the first item is changed.
void without_each_member(const ConfigNode& root, ConfigNode& at,
                         const std::function<void(const ConfigNode&)>& read) {
  for (std::size_t i = 0; i < at.members.size(); ++i) {
    const std::pair<std::string, ConfigNode> member = at.members[i];
    at.members.erase(at.members.begin() + static_cast<std::ptrdiff_t>(i));
    read(root);
    at.members.insert(at.members.begin() + static_cast<std::ptrdiff_t>(i), member);
    if (member.first != "configuration" && member.first != "counters")
      without_each_member(root, at.members[i].second, read);
  }
  if (!at.items.empty()) without_each_member(root, at.items.front(), read);
}

TEST_F(Why, AMemberThatIsMissingIsAnErrorOrNotUsed) {
  run("k", {}, "saxpy/small");
  ConfigNode result = parse_config_file(folder.path() + "/k/result.json"),
             program = parse_config_file(source("tests/fuzz/corpus/program.json"));
  // Give the program's kernel the metrics and counters of the run's launch.
  program.find("kernels")->items.front().members.emplace_back("figures",
                                                              result.find("launches")->items.front());
  int read = 0, refused = 0;
  for (ConfigNode* tree : {&result, &program})
    without_each_member(*tree, *tree, [&](const ConfigNode& part) {
      ++read;
      const std::vector<std::function<void()>> readers = {
          [&] { why::text_of(why::causes_of(part, {}, {}, "k")); },
          [&] { output::stored_report(part, folder.path() + "/k", "k"); },
          [&] { comparison::compared_run("k", part, folder.path() + "/k", "k"); }};
      for (const auto& reader : readers) try {
          reader();
        } catch (const Error&) {
          ++refused;
        }
    });
  EXPECT_GT(read, 300);
  EXPECT_GT(refused, 30);
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

TEST_F(Why, NamesTheLaunchOfAKernelWithSeveral) {
  run("b", {}, "bfs/small");
  EXPECT_THAT(why({"b"}).out, HasSubstr("; most in launch "));
}

TEST_F(Why, EstimatesAreMarked) {
  run("e", {"--estimate"}, "saxpy/small");
  EXPECT_THAT(why({"e"}).out, HasSubstr(" cycles, estimated\n"));
  EXPECT_THAT(why({"e"}).out, StartsWith("~"));
}

TEST_F(Why, PagesBeginWithTheSentences) {
  run("k", {"--report", "--profile"}, "n_body/small");
  const std::string first = "12 of 15 SMs have no CTA (80.0 % of issue slots): the grid has 3";
  EXPECT_THAT(folder.read("k/report.html"), HasSubstr(first));
  ASSERT_EQ(run_program({"report", "k", "-o", "k.md"}, folder.path()).status, 0);
  EXPECT_THAT(folder.read("k.md"), HasSubstr(first));
}

TEST_F(Why, PagesOfComparisonsBeginWithTheDifference) {
  ASSERT_EQ(run_program({"compare", "--launch", "saxpy/small", "--set", "gpu.sms=1", "fermi-gtx480",
                         "fermi-gtx480+warped-gates", "--out", "c", "--report", "--quiet"},
                        folder.path())
                .status,
            0);
  const std::string page = folder.read("c/report.html");
  EXPECT_LT(page.find("memory is busy"), page.find("fermi-gtx480+warped-gates takes "));
  EXPECT_LT(page.find("fermi-gtx480+warped-gates takes "), page.rfind("Compared with fermi-gtx480"));
}

// A program.json has the counters of each kernel. Here they are copied from a launch in a result.json.
TEST_F(Why, ProgramsAreExplainedByKernel) {
  run("a", {}, "saxpy/small");
  const ConfigNode result = parse_config_text(folder.read("a/result.json"), "result");
  const ConfigNode& launch = result.find("launches")->items[0];
  const auto program = [&](const std::string& rest) {
    ConfigNode figures = ConfigNode::make_object();
    for (const char* key :
         {"cycles", "ctas", "ctas_per_sm", "registers", "shared_bytes", "metrics", "counters"})
      figures.members.emplace_back(key, *launch.find(key));
    const std::string cycles = std::to_string(launch.find("cycles")->integer);
    const std::string kernel = R"("launches": 1, "cycles": )" + cycles + rest;
    return R"({"command": ["./p"], "launches": [], "configuration": )" +
           to_json(*result.find("configuration")) + R"(, "kernels": [{"kernel": "one", )" + kernel +
           R"(, "figures": )" + to_json(figures) + R"(}, {"kernel": "two", )" + kernel + R"(, "figures": )" +
           to_json(figures) + "}]}";
  };
  std::filesystem::create_directory(folder.path() + "/p");
  folder.write("p/program.json", program(""));
  const ConfigNode by_kernel = tree({"p"}), single = tree({"a"});
  EXPECT_EQ(member(by_kernel, "cycles"), 2 * member(single, "cycles"));
  double slots = 0;
  for (const ConfigNode& cause : by_kernel.find("causes")->items) slots += member(cause, "slots");
  EXPECT_NEAR(slots, 1, 1e-9);
  EXPECT_THAT(why({"p/program.json"}).out, HasSubstr("1. one: "));
  folder.write("p/program.json", program(R"(, "estimated": true)"));
  EXPECT_THAT(why({"p"}).out, StartsWith("~"));
  folder.write("p/program.json", R"({"command": ["./p"], "launches": [], "kernels": []})");
  expect_error({"p"}, "no kernel of this program was timed and counted");
}

TEST_F(Why, OtherFilesAreNoResults) {
  folder.write("x.json", "{}");
  expect_error({"x.json"}, "x.json: not the result of a run or a program");
  expect_error({"missing"}, "missing");
}

}  // namespace
}  // namespace heddle::test
