// Runs whole kernels with the RTL of Origami in lockstep with the model. Lanes of threads, shifted operands
// and results, fold controller and warp groups must agree in every cycle. If the RTL replaces the model,
// statistics must not change.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cosim/cosim_run.h"

namespace heddle::cosim {
namespace {

const std::string kEager = R"({"type":"eager"})";

class OrigamiRtl : public testing::TestWithParam<std::string> {};

TEST_P(OrigamiRtl, AgreesAndDrives) {
  RunOutcome lockstep;
  ASSERT_NO_THROW(lockstep = run_beside(GetParam(), "fermi-gtx480", kEager, "lockstep", kOrigami));
  for (const char* beside :
       {"pipelines whose lanes shift", "shifting stages", "re-shifting stages", "fold policies",
        "groups of origami schedulers", "lanes that are gated by themselves"})
    EXPECT_NE(lockstep.notes[0].find(beside), std::string::npos) << lockstep.notes[0];
  std::uint64_t folded = 0;
  for (const auto& [name, value] : lockstep.counters)
    if (name.ends_with(".folded")) folded += value;
  EXPECT_GT(folded, 100u);
  const RunOutcome driven = run_beside(GetParam(), "fermi-gtx480", kEager, "drive", kOrigami);
  const RunOutcome model = run_beside(GetParam(), "fermi-gtx480", kEager, "off", kOrigami);
  EXPECT_EQ(driven.counters, model.counters);
  EXPECT_EQ(lockstep.counters, model.counters);
}

INSTANTIATE_TEST_SUITE_P(, OrigamiRtl, testing::Values("mandelbrot", "reduction"),
                         [](const auto& instance) { return instance.param; });

TEST(OrigamiRtlRun, ASplitByRankHasNoMap) {
  std::vector<std::string> sets = kOrigami;
  sets.push_back(R"(gpu.sm.folding.split="rank")");
  const RunOutcome outcome = run_beside("reduction", "fermi-gtx480", kEager, "lockstep", sets);
  EXPECT_EQ(outcome.notes[0].find("pipelines whose lanes shift"), std::string::npos) << outcome.notes[0];
}

}  // namespace
}  // namespace heddle::cosim
