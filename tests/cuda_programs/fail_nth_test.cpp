// The n-th memory allocation or write of a command fails. The command must either report one line and end
// with status 1, or give its normal results. The command must not end by a signal, and must not leave an
// incomplete file under the file's final name. With HEDDLE_FULL=1, the test covers every write, and ten times
// as many allocations.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "../cli/counting_kernel.h"
#include "../cli/program.h"
#include "models/core/config_node.h"
#include "tests/support/dice.h"

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

struct FailingCommand {
  const char *name, *words;
  const char* result;
};

void PrintTo(const FailingCommand& command, std::ostream* out) { *out << command.name; }

class FailNth : public testing::TestWithParam<FailingCommand> {
 protected:
  FailNth() {
    folder_.write("k.ptx", kCountingPtx);
    folder_.write("l.json", counting_launch(2, 50));
    folder_.write("e.json", R"({"name": "e", "base": {"gpu": {"preset": "fermi-gtx480", "sms": 1}},
 "variants": [{"name": "v"}], "sizes": {"quick": {"kernels": [{"name": "k", "launch": "l.json"}]}},
 "figures": [{"id": "f", "title": "t", "kind": "table", "metric": "cycles"}]})");
  }
  ProgramResult run(const std::string& settings) const {
    fs::remove_all(folder_.path() + "/o");
    return run_program(
        {"-c", settings + " LD_PRELOAD=" FAIL_NTH_FILE " exec " + program_path() + " " + GetParam().words},
        folder_.path(), 0, "/bin/sh");
  }
  Folder folder_;
};

TEST_P(FailNth, IsOneLineOrTheResult) {
  const ProgramResult good = run("COUNT_CALLS=$PWD/calls");
  ASSERT_EQ(good.status, 0) << good.err;
  long mallocs = 0, writes = 0;
  std::istringstream(folder_.read("calls")) >> mallocs >> writes;
  ASSERT_GT(mallocs, 1000);
  ASSERT_GT(writes, 0);
  const std::string result = folder_.read(GetParam().result);
  // In each run, an allocation or a write fails, and in every second run all later ones too. The allocation
  // is chosen at random, because the first allocations all come before the simulation. With HEDDLE_FULL, each
  // write is tried, otherwise five writes at equal distances.
  const bool full = std::getenv("HEDDLE_FULL") != nullptr;
  const int allocations = full ? 300 : 30;
  const int tries = allocations + (full ? static_cast<int>(2 * writes) : 10);
  fuzz::Dice dice(7);
  for (int i = 0; i < tries; ++i) {
    const bool memory = i < allocations;
    const long at = memory ? 1 + static_cast<long>(dice.next() % static_cast<std::uint64_t>(mallocs))
                           : 1 + ((i - allocations) / 2 * (full ? 1 : 1 + writes / 5)) % writes;
    std::string setting = (memory ? "FAIL_MALLOC=" : "FAIL_WRITE=") + std::to_string(at);
    if (i % 2) setting += " FAIL_ALL=1";
    SCOPED_TRACE(setting);
    const ProgramResult failed = run(setting);
    // If the failing call is in the CUDA program itself, that program may end with a status other than 0 and
    // 1.
    EXPECT_LE(failed.status, 2) << failed.err;
    EXPECT_LE(std::count(failed.err.begin(), failed.err.end(), '\n'), 3) << failed.err;
    if (failed.status != 0) EXPECT_THAT(failed.err, testing::ContainsRegex("rror"));
    if (failed.status == 0) EXPECT_EQ(folder_.read(GetParam().result), result);
    if (failed.status == 0 || !folder_.has(GetParam().result)) continue;
    // The result file of a failed run must have no cut lines. Each line must also be in the normal result, or
    // be the row of a launch that failed or did not run.
    const std::string left = folder_.read(GetParam().result);
    EXPECT_TRUE(left.ends_with('\n'));
    std::istringstream lines(left);
    for (std::string line; std::getline(lines, line);)
      EXPECT_TRUE(result.find(line + "\n") != std::string::npos ||
                  line.find(",failed,") != std::string::npos || line.find(",not run,") != std::string::npos)
          << line;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, FailNth,
    testing::Values(
        FailingCommand{"run", "run --launch l.json --gpu fermi-gtx480 --set gpu.sms=1 --quiet --vcd --out o",
                       "o/stats.csv"},
        FailingCommand{"experiment", "experiment e.json --out o", "o/results.csv"},
        FailingCommand{"exec",
                       "exec --gpu fermi-gtx480 --set gpu.sms=1 --quiet --out o -- " CUDA_PROGRAMS "/bfs 10",
                       "o/launches.csv"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace heddle::test
