// Tests the RTL of control bits, and of the scoreboards that could replace control bits. The RTL runs in
// lockstep with the model, or in place of the model. Some tests run kernels. Other tests drive the RTL blocks
// without a GPU, in states that no kernel reaches.

#include <gtest/gtest.h>

#include <algorithm>

#include "models/scheduler/constraints/warp_points.h"
#include "tests/cosim/core_rig.h"
#include "tests/cosim/cosim_run.h"

namespace heddle::cosim {
namespace {

void expect_clean(const std::string& kernel, std::vector<std::string> sets, const std::string& blocks) {
  SCOPED_TRACE(kernel);
  sets.push_back("gpu.sm.max_warps=8");
  const auto run = [&](const char* mode) {
    return run_beside(kernel, "ampere-a6000", R"("none")", mode, sets);
  };
  RunOutcome lockstep;
  ASSERT_NO_THROW(lockstep = run("lockstep"));
  EXPECT_NE(lockstep.notes[0].find(blocks), std::string::npos) << lockstep.notes[0];
  const RunOutcome model = run("off");
  EXPECT_TRUE(model.equal);
  EXPECT_EQ(lockstep.counters, model.counters);
  EXPECT_EQ(run("drive").counters, model.counters);
}

TEST(CoreBlocks, ControlBits) {
  expect_clean("hotspot", {}, "8 dependence counters of warps, 8 stall counts of warps");
  expect_clean("half_gemm", {}, "8 dependence counters of warps, 8 stall counts of warps");
}

TEST(CoreBlocks, ConsumerScoreboards) {
  for (const char* consumers : {"1", "3", "63"})
    expect_clean("half_gemm", {core_scoreboard(consumers)}, "8 consumer scoreboards of warps");
}

class CoreAlone : public testing::TestWithParam<std::string> {};

TEST_P(CoreAlone, AgreesInEveryCycle) {
  for (const std::uint32_t sm : {20u, 80u})
    for (const int slow : {8, 400}) {
      const auto run = [&](const Mode* mode) { return CoreRig(GetParam(), mode, sm, sm, slow).run(6000); };
      const std::vector<std::uint64_t> model = run(nullptr);
      const Mode lockstep = Mode::lockstep, drive = Mode::drive;
      EXPECT_EQ(run(&lockstep), model);
      EXPECT_EQ(run(&drive), model);
      EXPECT_GT(std::count_if(model.begin(), model.end(), [](std::uint64_t set) { return set != 0; }), 500);
    }
}

INSTANTIATE_TEST_SUITE_P(, CoreAlone,
                         testing::Values("\"stall-count\"", "\"dependence-counters\"",
                                         R"({"type":"consumer-scoreboard","consumers":1})",
                                         R"({"type":"consumer-scoreboard","consumers":3})",
                                         R"({"type":"consumer-scoreboard","consumers":63})"));

TEST(CoreBlocks, SayWhatTheyDoNotDo) {
  const IssuePoints pairs{false, 0}, five{true, 5};
  Probe<StallPoint> stalls(pairs);
  Probe<ConsumerPoint> scoreboard(five);
  EXPECT_EQ(reason_against(stalls), "the RTL takes one instruction a partition and cycle");
  EXPECT_EQ(reason_against(scoreboard),
            "there is no consumer_scoreboard of CONSUMERS=5, only of CONSUMERS=1, 3, 63");
}

}  // namespace
}  // namespace heddle::cosim
