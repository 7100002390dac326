// Runs whole kernels with every gating policy and both kinds of schedulers, on one SM of the Fermi preset.
// Outputs must equal the untimed reference, the cycles of all power states must add up to the run's cycles,
// and sleeping SMs must not change statistics. An instruction in a domain that is not on causes an error.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "models/core/registry.h"
#include "models/gating/i_gating_policy.h"
#include "testbench/launch/output_compare.h"
#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"
#include "tests/support/conservation.h"
#include "tests/support/simulation.h"

namespace heddle::gating_tests {
namespace {

struct Machine {
  const char* name;
  std::vector<std::string> sets;
};

// Two-level and GATES schedulers. The preset has two single-issue schedulers; the machines with issue_width=2
// have one dual-issue scheduler instead (Abdel-Majeed 2016, 3.3.1).
const std::vector<Machine> kMachines = {
    {"two_level", {R"(gpu.sm.scheduler={"type":"two-level","active_warps":6})"}},
    {"gates_dual_issue",
     {R"(gpu.sm.scheduler={"type":"gates","active_warps":12})", "gpu.sm.schedulers_per_partition=1",
      "gpu.sm.issue_width=2"}},
    {"gates_each", {R"(gpu.sm.scheduler={"type":"gates","active_warps":6,"max_switch_cycles":50})"}},
    {"issue_wakes",
     {R"(gpu.sm.scheduler={"type":"gates","active_warps":12})", "gpu.sm.schedulers_per_partition=1",
      "gpu.sm.issue_width=2", "gpu.sm.gating.int.wake_on=issue", "gpu.sm.gating.fp.wake_on=issue",
      "gpu.sm.gating.sfu.wake_on=issue", "gpu.sm.gating.ldst.wake_on=issue"}},
};
const std::vector<std::string> kKernels = {"hotspot", "spmv", "reduction", "srad"};

struct Outcome {
  std::map<std::string, std::uint64_t> counters;
  Cycle cycles = 0;
};

Outcome run(const std::string& kernel, const Machine& machine, const std::string& policy, bool every_cycle) {
  run::ScenarioRequest request;
  request.gpu = "fermi-gtx480";
  request.launch = fmt::format("testbench/kernels/{}/small.json", kernel);
  request.sets = machine.sets;
  for (const char* unit : {"int", "fp", "sfu", "ldst"})
    request.sets.push_back(fmt::format("gpu.sm.gating.{}.policy=\"{}\"", unit, policy));
  request.sets.insert(request.sets.end(), {"gpu.sms=1", "watch.max_cycles=5000000",
                                           every_cycle ? "watch.check=off" : "watch.check=on",
                                           fmt::format("watch.every_cycle={}", every_cycle)});
  const testing_support::Simulation simulation;
  run::RunSession session(run::read_scenario(request));
  const run::RunResult& result = session.run();
  EXPECT_TRUE(every_cycle || result.checked) << result.unchecked_reason;
  EXPECT_TRUE(result.equal) << launch::report_differences(result.comparisons);
  EXPECT_EQ(testing_support::conservation_violations(session.gpu(), session.stats()), "");
  Outcome outcome;
  for (const CounterInfo& info : session.stats().counters())
    outcome.counters[info.full_name()] = info.counter->value();
  for (const run::LaunchRecord& launch : result.launches) outcome.cycles += launch.cycles;
  return outcome;
}

std::uint64_t sum_of(const Outcome& outcome, const std::string& ending) {
  std::uint64_t sum = 0;
  for (const auto& [name, value] : outcome.counters)
    if (name.ends_with(ending)) sum += value;
  return sum;
}

void expect_state_times_sum(const Outcome& outcome) {
  int domains = 0;
  for (const auto& [name, value] : outcome.counters) {
    const std::size_t end = name.rfind(".on_cycles");
    if (name.find(".gating.") == std::string::npos || end == std::string::npos) continue;
    ++domains;
    std::uint64_t sum = 0;
    for (const char* state : {"on", "uncompensated", "compensated", "wake_up"})
      sum += outcome.counters.at(fmt::format("{}.{}_cycles", name.substr(0, end), state));
    EXPECT_EQ(sum, outcome.cycles) << name.substr(0, end);
  }
  EXPECT_EQ(domains, 6) << "two INT, two FP, SFU, LD/ST";
}

// By default, each machine runs two kernels, and each kernel runs on two machines.
class Runs : public testing::TestWithParam<std::tuple<std::size_t, std::string>> {};

TEST_P(Runs, BitExactWithEveryPolicySleepingOrNot) {
  const Machine& machine = kMachines[std::get<0>(GetParam())];
  const std::string& kernel = std::get<1>(GetParam());
  const auto number =
      static_cast<std::size_t>(std::find(kKernels.begin(), kKernels.end(), kernel) - kKernels.begin());
  if (!std::getenv("HEDDLE_FULL") &&
      (number + kKernels.size() - std::get<0>(GetParam())) % kKernels.size() >= 2)
    GTEST_SKIP() << "runs with scripts/test --full";
  for (const auto& [policy, entry] : Registry<GatingPolicy>::instance().entries()) {
    SCOPED_TRACE(policy);
    const Outcome sleeping = run(kernel, machine, policy, false);
    expect_state_times_sum(sleeping);
    EXPECT_EQ(sum_of(sleeping, ".issued_asleep") > 0,
              machine.name == std::string("issue_wakes") && policy != "none");
    EXPECT_EQ(sum_of(sleeping, ".sleeps") > 0, policy != "none");
    const Outcome ticking = run(kernel, machine, policy, true);
    EXPECT_EQ(ticking.cycles, sleeping.cycles);
    for (const auto& [name, value] : sleeping.counters) EXPECT_EQ(ticking.counters.at(name), value) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    , Runs, testing::Combine(testing::Range(std::size_t{0}, kMachines.size()), testing::ValuesIn(kKernels)),
    [](const auto& instance) {
      return fmt::format("{}_{}", kMachines[std::get<0>(instance.param)].name, std::get<1>(instance.param));
    });

}  // namespace
}  // namespace heddle::gating_tests
