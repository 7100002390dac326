// Outputs that are written during a run must not accumulate in memory: a long run must need as much memory as
// a short one.

#include <gtest/gtest.h>

#include "counting_kernel.h"
#include "models/core/config_node.h"
#include "program.h"

namespace heddle::test {
namespace {

class Memory : public ::testing::Test {
 protected:
  Memory() { folder.write("k.ptx", kCountingPtx); }

  ProgramResult run(int launches, int rounds, const std::vector<std::string>& more) {
    folder.write("l.json", counting_launch(launches, rounds));
    std::vector<std::string> arguments = {"run",          "--launch",  "l.json", "--gpu",
                                          "fermi-gtx480", "--quiet",   "--out",  "out",
                                          "--set",        "gpu.sms=2", "--set",  "output.npy=false"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = run_program(arguments, folder.path());
    EXPECT_EQ(result.status, 0) << result.err;
    return result;
  }
  Folder folder;
};

constexpr long kAllowedKb = 4096;

TEST_F(Memory, LaunchesTakeNone) {
  const long few = run(40, 2, {"--set", "output.launches_in_full=20"}).peak_kb;
  const long many = run(640, 2, {"--set", "output.launches_in_full=20"}).peak_kb;
  EXPECT_LT(many, few + kAllowedKb);
  const ConfigNode result = parse_config_file(folder.path() + "/out/result.json");
  const ConfigNode& launches = *result.find("launches");
  ASSERT_EQ(launches.items.size(), 640u);
  std::int64_t cycles = 0;
  for (std::size_t i = 0; i < launches.items.size(); ++i) {
    const ConfigNode& launch = launches.items[i];
    cycles += launch.find("cycles")->integer;
    EXPECT_EQ(launch.find("index")->integer, static_cast<std::int64_t>(i));
    EXPECT_EQ(launch.find("counters") != nullptr, i < 20) << i;
    EXPECT_GT(launch.find("metrics")->find("ipc")->number, 0) << i;
    EXPECT_GT(launch.find("metrics")->find("energy_nj")->number, 0) << i;
  }
  EXPECT_EQ(cycles, result.find("total")->find("cycles")->integer);
}

TEST_F(Memory, RowsTakeNone) {
  const long few = run(1, 40, {"--interval", "1"}).peak_kb;
  const long many = run(1, 1000, {"--interval", "1"}).peak_kb;
  EXPECT_LT(many, few + kAllowedKb);
  EXPECT_GT(folder.read("out/intervals.csv").size(), 1000000u);
}

}  // namespace
}  // namespace heddle::test
