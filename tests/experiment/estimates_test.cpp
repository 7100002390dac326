// An experiment whose size estimates: how well its figures are known stands beside them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace heddle::test
