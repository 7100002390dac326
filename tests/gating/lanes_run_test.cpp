// Runs whole kernels on pipelines whose two halves of lanes are gated separately, and in which threads move
// to other lanes. Outputs must equal the untimed reference, counters must add up, and sleeping SMs must not
// change statistics. An instruction that reaches a sleeping lane causes an error, or computes with poison.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "testbench/launch/output_compare.h"
#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"
#include "tests/support/conservation.h"
#include "tests/support/counts.h"
#include "tests/support/lane_planners.h"
#include "tests/support/simulation.h"

namespace heddle::gating_tests {
namespace {

using testing_support::Counts;
using testing_support::sum_of;

struct Machine {
  std::string kernel = "reduction", policy = "conventional", granularity = "half";
  bool every_cycle = false;
  LanePlanner* planner = nullptr;
  const char* wake_on = "demand";
};

Counts run(const Machine& machine) {
  run::ScenarioRequest request;
  request.gpu = "fermi-gtx480";
  request.launch = fmt::format("testbench/kernels/{}/small.json", machine.kernel);
  for (const char* unit : {"int", "fp"}) {
    request.sets.push_back(fmt::format("gpu.sm.gating.{}.policy=\"{}\"", unit, machine.policy));
    request.sets.push_back(fmt::format("gpu.sm.gating.{}.granularity=\"{}\"", unit, machine.granularity));
    request.sets.push_back(fmt::format("gpu.sm.gating.{}.wake_on=\"{}\"", unit, machine.wake_on));
  }
  request.sets.insert(request.sets.end(),
                      {"gpu.sms=1", "gpu.sm.issue_width=2", "watch.max_cycles=5000000", "watch.check=on",
                       fmt::format("watch.every_cycle={}", machine.every_cycle)});
  const testing_support::Simulation simulation;
  run::RunHooks hooks;
  hooks.on_built = [&](Gpu& gpu) { gpu.sm(0).set_lane_planner(machine.planner); };
  run::RunSession session(run::read_scenario(request), hooks);
  const run::RunResult& result = session.run();
  EXPECT_TRUE(result.checked) << result.unchecked_reason;
  EXPECT_TRUE(result.equal) << launch::report_differences(result.comparisons);
  EXPECT_EQ(testing_support::conservation_violations(session.gpu(), session.stats()), "");
  return testing_support::counts_of(session.stats());
}

class Halves : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

void expect_the_same_ticking(Machine machine, const Counts& sleeping) {
  machine.every_cycle = true;
  const Counts ticking = run(machine);
  for (const auto& [name, value] : sleeping) EXPECT_EQ(ticking.at(name), value) << name;
}

TEST_P(Halves, BitExactSleepingOrNot) {
  const Machine machine{std::get<0>(GetParam()), std::get<1>(GetParam())};
  const Counts sleeping = run(machine);
  EXPECT_GT(sum_of(sleeping, "gating.int", ".halves.sleeps"), 0u);
  expect_the_same_ticking(machine, sleeping);
}

// An instruction may issue while its lanes sleep. The instruction stays in its collector until all its lanes
// are on.
TEST_P(Halves, BitExactWhereIssueWakes) {
  Machine machine{std::get<0>(GetParam()), std::get<1>(GetParam())};
  machine.wake_on = "issue";
  const Counts sleeping = run(machine);
  EXPECT_GT(sum_of(sleeping, "gating.int", ".halves.issued_asleep"), 0u);
  EXPECT_EQ(sum_of(sleeping, "gating.int", ".halves.unused_wake_ups"), 0u);
  expect_the_same_ticking(machine, sleeping);
}

INSTANTIATE_TEST_SUITE_P(, Halves,
                         testing::Combine(testing::Values("reduction", "bfs", "hotspot"),
                                          testing::Values("conventional", "naive-blackout")),
                         [](const auto& instance) {
                           return fmt::format(
                               "{}_{}", std::get<0>(instance.param),
                               std::get<1>(instance.param) == "conventional" ? "conventional" : "naive");
                         });

// Half-empty warps do not use the upper halves. Therefore more lanes sleep than if whole pipelines were
// gated.
TEST(HalvesRun, SleepWhereWholePipelinesCannot) {
  const auto gated_lanes = [](const Counts& counts, std::uint64_t lanes) {
    return lanes * (sum_of(counts, "gating.int", ".uncompensated_cycles") +
                    sum_of(counts, "gating.int", ".compensated_cycles"));
  };
  const Counts whole = run({"nw", "conventional", "unit"}), halves = run({"nw", "conventional", "half"});
  EXPECT_GT(gated_lanes(halves, 16), gated_lanes(whole, 32));
}

TEST(HalvesRun, CoordinatedBlackoutIsRefused) {
  try {
    run({"reduction", "coordinated-blackout"});
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("gpu.sm.gating.int.policy"), std::string::npos) << e.what();
  }
}

class Planned : public testing::TestWithParam<std::string> {};

TEST_P(Planned, BitExactInOtherLanes) {
  testing_support::MirrorPlanner mirror;
  testing_support::LowerHalfPlanner lower;
  for (const char* granularity : {"unit", "half"})
    for (LanePlanner* planner : {static_cast<LanePlanner*>(&mirror), static_cast<LanePlanner*>(&lower)})
      run({GetParam(), "naive-blackout", granularity, false, planner});
  EXPECT_GT(mirror.plans, 100);
  EXPECT_GT(lower.two_passes, 100);
}

INSTANTIATE_TEST_SUITE_P(, Planned,
                         testing::Values("reduction", "bfs", "compact", "prime_test", "jacobi_f64",
                                         "mandelbrot"),
                         [](const auto& instance) { return instance.param; });

TEST(PlannedRun, LanesThatNoPlanUsesSleep) {
  testing_support::LowerHalfPlanner lower;
  const Counts counts = run({"mandelbrot", "conventional", "half", false, &lower});
  const std::uint64_t on = sum_of(counts, "gating.fp", ".on_cycles");
  const std::uint64_t compensated = sum_of(counts, "gating.fp", ".compensated_cycles");
  EXPECT_GT(compensated, on) << "two upper halves of four";
}

}  // namespace
}  // namespace heddle::gating_tests
