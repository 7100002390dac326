// Tests an experiment whose size has the key "estimate", so that runs of this size are estimated. The report
// must show how uncertain its figures are.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>

#include "tests/cli/program.h"

namespace heddle::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr const char* kExperiment = R"({
  "name": "estimated", "description": "one kernel, estimated",
  "base": {"gpu": {"preset": "fermi-gtx480", "sms": 1}},
  "sizes": {"quick": {"kernels": ["saxpy"], "launch": "launch.json", "estimate": true, "set": {"watch.check": "off"}}},
  "variants": [{"name": "plain"}],
  "figures": [{"id": "time", "title": "Run time", "kind": "bars", "metric": "cycles"}]
})";

TEST(EstimatedExperiment, FiguresSayHowWellTheyAreKnown) {
  Folder folder;
  folder.write("estimated.json", kExperiment);
  const ProgramResult run =
      run_program({"experiment", "estimated.json", "--out", "out", "--jobs", "1"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string report = folder.read("out/report.md");
  EXPECT_THAT(report, ContainsRegex("intervals of its runs' cycles are ±[1-9]\\.[0-9] % in the mean"));
  EXPECT_THAT(report, HasSubstr("cycles, interval |"));
}

TEST(EstimatedExperiment, PointsShareUntimedExecutions) {
  Folder folder;
  std::string two = kExperiment;
  const std::string one = R"([{"name": "plain"}])";
  two.replace(two.find(one), one.size(),
              R"([{"name": "plain"}, {"name": "slow", "set": {"gpu.sm.units.fp32.latency_cycles": 12}}])");
  folder.write("estimated.json", two);
  ASSERT_EQ(
      run_program({"experiment", "estimated.json", "--out", "shared", "--jobs", "1"}, folder.path()).status,
      0);
  const std::filesystem::directory_iterator untimed(folder.path() + "/shared/untimed");
  EXPECT_EQ(std::distance(begin(untimed), end(untimed)), 1) << "of both variants";
}

// Variants with paired_share time the same CTAs. Figures must therefore show the interval of the difference
// between variants.
TEST(EstimatedExperiment, PairedVariantsSayHowWellTheirDifferenceIsKnown) {
  Folder folder;
  std::string two = kExperiment;
  const auto put = [&two](const std::string& one, const std::string& other) {
    two.replace(two.find(one), one.size(), other);
  };
  put(R"([{"name": "plain"}])",
      R"([{"name": "plain"}, {"name": "slow", "set": {"gpu.sm.units.fp32.latency_cycles": 12}}])");
  put(R"("estimate": true)", R"("estimate": {"paired_share": 0.15})");
  folder.write("estimated.json", two);
  const ProgramResult run =
      run_program({"experiment", "estimated.json", "--out", "out", "--jobs", "1"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(folder.read("out/report.md"),
              ContainsRegex("those of what a variant makes of the cycles of `plain`, ±[0-9]\\.[0-9] and"));
}

TEST(EstimatedRun, ADifferenceBetweenPairedRunsHasAnIntervalOfItsOwn) {
  Folder folder;
  const std::vector<std::string> words = {"run",          "--launch",  "saxpy", "--gpu",
                                          "fermi-gtx480", "--check",   "off",   "--estimate",
                                          "--set",        "gpu.sms=1", "--set", "estimate.paired_share=0.15"};
  const auto with = [&words](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  ASSERT_EQ(run_program(with({"--out", "plain"}), folder.path()).status, 0);
  const ProgramResult run =
      run_program(with({"--set", "gpu.sm.units.fp32.latency_cycles=12", "--against", "plain/result.json"}),
                  folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, ContainsRegex("cycles \\(\\+-1\\.[0-9] %, from [0-9]+ places that both timed; not "
                                     "accurate to one point: increase estimate.paired_share\\)"));
}

}  // namespace
}  // namespace heddle::test
