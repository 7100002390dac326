// Tests the options --sweep, --kernels and --set of heddle experiment.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/cli/program.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Selection : public testing::Test {
 protected:
  void SetUp() override { folder.write("tiny.json", read_file(source("tests/experiment/tiny.json"))); }
  ProgramResult run(std::vector<std::string> more) const {
    more.insert(more.begin(), {"experiment", "tiny.json"});
    return run_program(more, folder.path());
  }
  static long lines(const ProgramResult& result) {
    EXPECT_EQ(result.status, 0) << result.err;
    return std::count(result.out.begin(), result.out.end(), '\n');
  }
  Folder folder;
};

TEST_F(Selection, OfTheHybridsFigure8IsTheBaselineAndTwoValues) {
  EXPECT_EQ(lines(run_program({"experiment", "hybrid", "--size", "quick", "--sweep", "split=10+2,6+6",
                               "--only", "8", "--list"},
                              folder.path())),
            24);
}

TEST_F(Selection, ASweepTakesNamesNewValuesAndObjects) {
  EXPECT_EQ(lines(run({"--only", "warps", "--list"})), 2);
  EXPECT_THAT(run({"--only", "warps", "--list", "--sweep", "warps=8"}).out,
              HasSubstr("saxpy, gto, warps 8\n"));
  const ProgramResult list =
      run({"--only", "warps", "--list", "--sweep", R"(warps=[24, {"name": "few", "value": 4}])"});
  EXPECT_EQ(lines(list), 2);
  EXPECT_THAT(list.out, HasSubstr("saxpy, gto, warps 24\n"));
  EXPECT_THAT(list.out, HasSubstr("saxpy, gto, warps few\n"));
  for (const auto& [option, error] :
       {std::pair("warp=8", "unknown sweep \"warp\", did you mean \"warps\"?"),
        std::pair("warps", "no sweep and values"), std::pair("warps=8,,9", "an empty value"),
        std::pair("warps=8,8", "a second value \"8\""), std::pair("warps=many", "gpu.sm.max_warps")}) {
    const ProgramResult wrong = run({"--list", "--sweep", option});
    EXPECT_EQ(wrong.status, 1) << option;
    EXPECT_THAT(wrong.err, HasSubstr(error));
  }
  EXPECT_THAT(run({"--list", "--sweep", "warps=8", "--sweep", "warps=9"}).err,
              HasSubstr("has values already"));
  std::string text = folder.read("tiny.json");
  const std::string of = "\"of\": \"gpu.sm.max_warps\", \"values\": [8, 48]";
  text.replace(text.find(of), of.size(),
               R"("values": [{"name": "8", "set": {"gpu.sm.max_warps": 8}}, {"name": "48", "set": {}}])");
  folder.write("tiny.json", text);
  EXPECT_THAT(run({"--list", "--sweep", "warps=9"}).err,
              HasSubstr("unknown value of this sweep \"9\" (allowed: 8, 48)"));
}

// The figure divides by a base run, which has the sweep value 48. This base run must be executed even if
// --sweep leaves 48 out.
TEST_F(Selection, TheBaseIsAlwaysMade) {
  std::string text = folder.read("tiny.json");
  const std::string metric = R"("sweep": "warps", "metric": "lanes_per_instruction",)";
  text.replace(text.find(metric), metric.size(),
               R"json("sweep": "warps", "relative_to": {"variant": "gto", "value": "48"},
               "metric": "100 * cycles / base(cycles)",)json");
  folder.write("tiny.json", text);
  ASSERT_EQ(run({"--out", "whole", "--quiet", "--only", "warps"}).status, 0);
  const ProgramResult result = run({"--out", "out", "--only", "warps", "--sweep", "warps=8"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr("note: figure warps: left out with the runs that it needs: order 48 < 8\n"));
  EXPECT_THAT(folder.read("out/report.md"),
              HasSubstr("* Left out with the runs that it needs: order 48 < 8\n"));
  const std::string whole = folder.read("whole/figures/warps.csv"),
                    some = folder.read("out/figures/warps.csv");
  const std::string row = "saxpy,gto,8,value,";
  const auto value = [&row](const std::string& csv) {
    const std::size_t at = csv.find(row);
    return at == std::string::npos ? std::string("none") : csv.substr(at, csv.find('\n', at) - at);
  };
  EXPECT_NE(value(some), "none");
  EXPECT_EQ(value(some), value(whole));
  EXPECT_EQ(some.find(",48,"), std::string::npos);
}

TEST_F(Selection, KernelsLeaveOutWhatNeedsOthers) {
  EXPECT_EQ(lines(run({"--list", "--kernels", "saxpy"})), 3);
  const ProgramResult other = run({"--out", "out", "--kernels", "vector_add"});
  ASSERT_EQ(other.status, 0) << other.err;
  EXPECT_THAT(other.err, HasSubstr("note: figure loads: left out with the runs that it needs: published "
                                   "wg.hotspot.idle.conv [2]\n"));
  EXPECT_THAT(other.err,
              HasSubstr("note: figure warps: left out, because --kernels leaves out all its kernels\n"));
  EXPECT_FALSE(folder.has("out/figures/warps.csv"));
  EXPECT_THAT(folder.read("out/report.md"),
              HasSubstr("so this report has no conclusions of its own. Conclusions (size quick): "));
  EXPECT_THAT(run({"--list", "--kernels", "saxp"}).err,
              HasSubstr("--kernels: no kernel fits \"saxp\" (allowed: saxpy, vector_add)"));
  EXPECT_THAT(run({"--kernels", "vector_add", "--only", "warps"}).err,
              HasSubstr("--only warps: --kernels leaves out all kernels of this figure"));
}

TEST_F(Selection, HasAFolderOfItsOwn) {
  ASSERT_EQ(run({"--quiet"}).status, 0);
  const std::string report = folder.read("results/tiny-quick/report.md");
  ASSERT_EQ(run({"--quiet", "--sweep", "warps=8"}).status, 0);
  ASSERT_EQ(run({"--quiet", "--kernels", "saxpy"}).status, 0);
  ASSERT_EQ(run({"--quiet", "--set", "gpu.sm.max_ctas=4"}).status, 0);
  ASSERT_EQ(run({"--quiet", "--set", "gpu.sm.max_ctas=4"}).status, 0);
  std::size_t folders = 0;
  for (const auto& entry : fs::directory_iterator(folder.path() + "/results"))
    folders += entry.path().filename().string().starts_with("tiny-quick-");
  EXPECT_EQ(folders, 3u);
  EXPECT_EQ(folder.read("results/tiny-quick/report.md"), report);
}

}  // namespace
}  // namespace heddle::test
