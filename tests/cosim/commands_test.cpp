#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace heddle::test {
namespace {

std::string small(const std::string& kernel) { return source("testbench/kernels/" + kernel + "/small.json"); }

TEST(CosimCommand, RunsInLockstepAndSaysWhatItCompared) {
  Folder folder;
  const ProgramResult result =
      run_program({"run", "--launch", small("vector_add"), "--gpu", "fermi-gtx480", "--scheduler", "gates",
                   "--set", "gpu.sm.gating.int.policy=coordinated-blackout", "--set", "gpu.sms=2", "--cosim",
                   "lockstep", "--set", "cosim.record=stimuli"},
                  folder.path());
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("co-simulation (lockstep): 4 GATES priority logics, 2 groups of power domains"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("not co-simulated: fp domains (gating policy none): it never gates"),
            std::string::npos);
  EXPECT_TRUE(folder.has("stimuli/sm1.partition0.int.stimuli"));
  EXPECT_TRUE(folder.has("stimuli/sm1.scheduler1.stimuli"));
}

void expect_error(const std::vector<std::string>& arguments, const std::string& part) {
  Folder folder;
  const ProgramResult result = run_program(arguments, folder.path());
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err.substr(0, 7), "error: ");
  EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
}

TEST(CosimCommand, RefusesWhatMakesNoSense) {
  const std::vector<std::string> run{"run", "--launch", small("vector_add"), "--gpu", "fermi-gtx480"};
  const auto with = [&run](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    return more;
  };
  expect_error(with({"--cosim", "loosely"}), "off, lockstep, drive");
  expect_error(with({"--set", "cosim.record=x"}), "nothing to record");
  expect_error(with({"--cosim", "drive", "--set", "cosim.record=/dev/null/x"}), "/dev/null/x");
}

TEST(RtlCommand, RefusesWhatIsNotThere) {
  expect_error({"rtl", "--liberty", "nowhere.lib"}, "there is no file nowhere.lib");
  Folder folder;
  folder.write("empty.lib", "library (empty) {}\n");
  expect_error({"rtl", "--liberty", folder.path() + "/empty.lib"}, "holds no cell");
}

}  // namespace
}  // namespace heddle::test
