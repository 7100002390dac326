// Tests the key "decides" of experiments: the runs check each stated cause of a difference from a paper. If
// the runs contradict a statement, the experiment must fail.

#include "testbench/experiment/causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace heddle::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Results of two variants: `few` has fewer warps than `many`, and takes longer on both kernels.
class Causes : public ::testing::Test {
 protected:
  ProgramResult run(const std::string& decides) {
    folder.write("e.json", R"json({"name": "causes", "base": {"gpu": {"preset": "fermi-gtx480", "sms": 1}},
      "sizes": {"quick": {"kernels": ["saxpy", "vector_add"], "launch": "small.json"}},
      "variants": [{"name": "many"}, {"name": "few", "set": {"gpu.sm.max_warps": 8}}],
      "decides": [)json" + decides +
                               R"json(],
      "figures": [
        {"id": "time", "title": "Time", "unit": "%", "metric": "100 * (cycles / base(cycles) - 1)", "relative_to": "many",
          "x": "kernel", "series": "variant", "kind": "table"},
        {"id": "one", "like": "time", "title": "One", "kernels": "saxpy"}]})json");
    return run_program({"experiment", "e.json", "--out", "out"}, folder.path());
  }
  static std::string cause(const std::string& values, const std::string& changes, const std::string& by,
                           const std::string& published = "") {
    return R"({"id": "c", "size": "quick", "conclusion": "Few warps cost nothing", "values": )" + values +
           (published.empty() ? "" : R"(, "published": ")" + published + "\"") + R"(, "tried": [)" + changes +
           R"(], "decided_by": ")" + by + "\"}";
  }
  const std::string order = R"(["time|few", "time|many"])",
                    swapped = R"({"change": "more warps", "values": ["time|many", "time|few"]})",
                    same = R"({"change": "nothing", "values": ["time|few", "time|many"]})";
  Folder folder;
};

TEST_F(Causes, TheReportPrintsTheVerdictOfTheRuns) {
  const ProgramResult result = run(cause(order, same + ", " + swapped, "more warps"));
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string report = folder.read("out/report.md");
  EXPECT_THAT(report, HasSubstr("<a id=\"cause-c\"></a>\n\n### Few warps cost nothing\n\n"
                                "Verdict: decided by \"more warps\".\n\n| change | few | many | order |"));
  EXPECT_THAT(report, HasSubstr("| not the published order |\n| nothing | "));
  EXPECT_THAT(report, HasSubstr("| as published |\n"));
  ASSERT_EQ(run(cause(order, same, "open")).status, 0);
  EXPECT_THAT(folder.read("out/report.md"), HasSubstr("Verdict: open."));
}

TEST_F(Causes, AStatementThatTheRunsDoNotBearOutFails) {
  const auto fails = [this](const std::string& decides, const std::string& reason) {
    const ProgramResult result = run(decides);
    EXPECT_EQ(result.status, 1) << reason;
    EXPECT_THAT(result.err, HasSubstr("decides \"c\": " + reason));
    EXPECT_THAT(folder.read("out/report.md"), HasSubstr("Verdict: not borne out by the runs: " + reason));
  };
  fails(cause(order, same + ", " + swapped, "nothing"), "\"nothing\" does not restore it");
  fails(cause(order, swapped, "open"), "\"more warps\" restores it, so it is not open");
  fails(cause(R"(["time|many", "time|few"])", same, "open"),
        "the runs show it as published without a change");
}

TEST_F(Causes, ALevelIsRestoredWithinATenthOrAPoint) {
  const std::string level = R"({"change": "more warps", "values": ["time|many"]})";
  const ProgramResult result = run(cause(R"(["time|few"])", level, "more warps", "wg.slowdown.conv"));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(folder.read("out/report.md"), HasSubstr("| change | few | published: 1 % |"));
  EXPECT_THAT(folder.read("out/report.md"), HasSubstr("| more warps | 0.0 | as published |"));
  using experiment::is_near;
  EXPECT_TRUE(is_near(1.9, 1, "%"));
  EXPECT_TRUE(is_near(45, 50, "% saved"));
  EXPECT_FALSE(is_near(44.9, 50, "%"));
  EXPECT_FALSE(is_near(1, 2, "x")) << "a point is a unit of percentages alone";
}

TEST_F(Causes, ASubsetOfKernelsIsNoCause) {
  const ProgramResult result =
      run(cause(order, R"({"change": "saxpy", "values": ["one|many", "one|few"]})", "saxpy"));
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("figure one has 1 kernels, the paper's list at size quick has 2"));
  EXPECT_THAT(result.err, HasSubstr("a subset of kernels is no cause"));
}

TEST_F(Causes, OrdersAndLevelsAreComplete) {
  EXPECT_THAT(run(cause(order, "", "open", "wg.slowdown.conv")).err,
              HasSubstr("neither an order nor a level"));
  EXPECT_THAT(run(cause(R"(["time|few"])", "", "open")).err, HasSubstr("neither an order nor a level"));
  EXPECT_THAT(run(cause(order, "", "luck")).err, HasSubstr("no change \"luck\" (allowed: open)"));
  EXPECT_THAT(run(cause(order, R"({"change": "a", "values": "time|few"})", "open")).err,
              HasSubstr("as many as without a change: 2"));
}

}  // namespace
}  // namespace heddle::test
