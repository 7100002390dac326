// Tests RTL blocks of a plug-in. Heddle's sources do not name these blocks; only the plug-in's tables
// describe them. The blocks' ports have 1,024 bits. Tests run the blocks in lockstep and in place of the
// model, and check waveforms and recordings.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "testbench/cosim/rtl_model.h"
#include "tests/cosim/toys/toys.h"

namespace heddle::cosim {
namespace {

TEST(Toys, AgreeInLockstepAndDriveAsTheModelDoes) {
  const RunOutcome lockstep = run_with_toys("lockstep");
  EXPECT_TRUE(lockstep.equal);
  EXPECT_NE(lockstep.notes.at(0).find("(lockstep): 1 byte swaps, 2 units that add, "), std::string::npos)
      << lockstep.notes[0];
  const RunOutcome driven = run_with_toys("drive"), model = run_with_toys("off");
  EXPECT_TRUE(driven.equal);
  EXPECT_EQ(driven.counters, model.counters);
  EXPECT_EQ(lockstep.counters, model.counters);
}

TEST(Toys, WhatDriveReplacesDecidesTheResult) {
  RtlModels::instance().prefer("byte_swap_fault");
  bool equal = false;
  try {
    equal = run_with_toys("drive").equal;
  } catch (const Error&) {
  }
  EXPECT_FALSE(equal) << "the values of lane 31 come from the RTL";
}

TEST(Toys, AreRecordedLaneByLane) {
  const std::string folder = testing::TempDir() + "heddle_toys_" + std::to_string(::getpid());
  run_with_toys("lockstep", {"cosim.record=" + folder, "cosim.record_cycles=50"});
  const auto lines_of = [&](const std::string& instance) {
    std::ifstream in(folder + "/" + instance + ".stimuli");
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  };
  const std::vector<std::string> swaps = lines_of("sm0.partition0.stage0_toy_byte_swap"),
                                 sums = lines_of("sm0.partition0.int0");
  ASSERT_EQ(swaps.size(), 51u);
  EXPECT_EQ(swaps[0].substr(0, 29), "byte_swap : values.0 values.1");
  EXPECT_EQ(std::count(swaps[1].begin(), swaps[1].end(), ' '), 63) << "32 lanes in, 32 out";
  ASSERT_EQ(sums.size(), 51u);
  EXPECT_NE(sums[0].find(" b.31 active =sum.0 "), std::string::npos) << sums[0];
  EXPECT_EQ(sums[50].substr(sums[50].rfind(' ')), " 31")
      << "49 additions before the fiftieth, in hexadecimal";
  std::filesystem::remove_all(folder);
}

TEST(Toys, ShowTheirOutputsInWaveforms) {
  const testing_support::Simulation simulation;
  toys_wanted() = true;
  run::RunHooks hooks;
  std::unique_ptr<run::RunSession> session;
  std::map<std::string, int> widths;
  hooks.on_built = [&](Gpu&) {
    for (const auto& signal : session->co_simulation()->signals()) widths[signal.name] = signal.width;
  };
  session = std::make_unique<run::RunSession>(
      cosim_parameters("vector_add", "fermi-gtx480", R"("none")", "lockstep", {}), hooks);
  session->run();
  EXPECT_EQ(widths["sm0.rtl.partition0.int1.sum.31"], 32);
  EXPECT_EQ(widths["sm0.rtl.partition0.int1.count"], 32);
}

}  // namespace
}  // namespace heddle::cosim
