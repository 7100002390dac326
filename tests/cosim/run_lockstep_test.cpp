// Kernels with the RTL of power gating in lockstep must show no difference. If the RTL replaces the model,
// counters must not change. By default, half of the kernels run, each with one pair of policy and machine, so that every
// pair runs. HEDDLE_FULL runs every kernel with every pair.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <utility>

#include "tests/cosim/cosim_run.h"
#include "tests/support/kernel_list.h"

namespace heddle::cosim {
namespace {

const std::vector<std::string> kPolicies = {
    R"("conventional")",
    R"("naive-blackout")",
    R"("coordinated-blackout")",
    R"({"type":"adaptive","base":"conventional"})",
    R"({"type":"adaptive","base":"naive-blackout","epoch_cycles":300,"threshold":1})",
    R"({"type":"adaptive","epoch_cycles":200,"threshold":0})"};

struct Machine {
  const char* gpu;
  std::vector<std::string> sets;
  bool gates;
};
// machines: two clusters with one dual-issue GATES scheduler, as in the paper; two clusters with two-level
// schedulers; six clusters
const std::vector<Machine> kMachines = {
    {"fermi-gtx480", {kGatesDualIssue, "gpu.sm.schedulers_per_partition=1", "gpu.sm.issue_width=2"}, true},
    {"fermi-gtx480", {R"(gpu.sm.scheduler="two-level")"}, false},
    {"kepler-gtx780", {R"(gpu.sm.scheduler={"type":"gates","max_switch_cycles":40})"}, true},
    {"fermi-gtx480",
     {R"(gpu.sm.scheduler="gates")", "gpu.sm.gating.int.wake_on=issue", "gpu.sm.gating.fp.wake_on=issue",
      "gpu.sm.gating.ldst.wake_on=issue"},
     true}};

bool full() { return std::getenv("HEDDLE_FULL") != nullptr; }

void expect_clean(const std::string& kernel, const Machine& machine, const std::string& policy, bool drive) {
  SCOPED_TRACE(fmt::format("{} on {} with {}", kernel, machine.gpu, policy));
  RunOutcome lockstep;
  ASSERT_NO_THROW(lockstep = run_beside(kernel, machine.gpu, policy, "lockstep", machine.sets));
  EXPECT_NE(lockstep.notes[0].find(" groups of power domains"), std::string::npos) << lockstep.notes[0];
  EXPECT_EQ(lockstep.notes.size(), machine.gates ? 1u : 2u) << lockstep.notes.back();
  if (!drive) return;
  const RunOutcome driven = run_beside(kernel, machine.gpu, policy, "drive", machine.sets);
  const RunOutcome model = run_beside(kernel, machine.gpu, policy, "off", machine.sets);
  EXPECT_EQ(driven.counters, model.counters);
  EXPECT_EQ(lockstep.counters, model.counters);
}

class EveryKernel : public testing::TestWithParam<std::string> {};

std::size_t number_of(const std::string& kernel) {
  const std::vector<std::string> all = testing_support::kernels();
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), kernel) - all.begin());
}
std::size_t machine_of(std::size_t kernel) { return kernel % kMachines.size(); }
std::size_t policy_of(std::size_t kernel) { return kernel / kMachines.size() % kPolicies.size(); }

/// Returns true for every second kernel. Two kernels whose numbers differ by the number of pairs of machine and
/// policy have the same pair, and one of them is chosen.
bool runs_by_default(std::size_t kernel) {
  const std::size_t pairs = kMachines.size() * kPolicies.size();
  return (kernel % pairs + kernel / pairs) % 2 == 0;
}

TEST_P(EveryKernel, IsCleanInLockstep) {
  const std::size_t number = number_of(GetParam());
  if (!full() && !runs_by_default(number)) GTEST_SKIP() << "runs with scripts/test --full";
  if (!full())
    return expect_clean(GetParam(), kMachines[machine_of(number)], kPolicies[policy_of(number)],
                        number % 6 == 0);
  for (const Machine& machine : kMachines)
    for (const std::string& policy : kPolicies) expect_clean(GetParam(), machine, policy, true);
}

TEST(CoSimulation, RunsEveryPairOfMachineAndPolicy) {
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t n = 0; n < testing_support::kernels().size(); ++n)
    if (runs_by_default(n)) pairs.insert({machine_of(n), policy_of(n)});
  EXPECT_EQ(pairs.size(), kMachines.size() * kPolicies.size());
}

INSTANTIATE_TEST_SUITE_P(, EveryKernel, testing::ValuesIn(testing_support::kernels()),
                         [](const auto& instance) { return instance.param; });

TEST(CoSimulation, DriveModeCountsWhatTheModelCounts) {
  for (std::size_t m = 0; m < kMachines.size(); ++m)
    expect_clean("bfs", kMachines[m], kPolicies[(2 * m + 1) % kPolicies.size()], true);
}

TEST(CoSimulation, SaysOnceWhatIsNotCoSimulated) {
  const RunOutcome outcome = run_beside("vector_add", "fermi-gtx480", R"("naive-blackout")", "lockstep",
                                        {R"(gpu.sm.scheduler="gto")", R"(gpu.sm.gating.sfu.policy="none")",
                                         "gpu.sm.units.clusters=5", "gpu.sms=3"});
  ASSERT_EQ(outcome.notes.size(), 5u);
  EXPECT_EQ(outcome.notes[0].substr(0, 46), "co-simulation (lockstep): 3 groups of power do");
  EXPECT_EQ(
      outcome.notes[1],
      "not co-simulated: fp domains (gating policy naive-blackout): there is no gating_unit of CLUSTERS=5, "
      "only of CLUSTERS=1, 2, 4, 6");
  EXPECT_EQ(outcome.notes[3], "not co-simulated: schedulers (policy gto): there is no RTL of this policy");
  EXPECT_EQ(outcome.notes[4], "not co-simulated: sfu domains (gating policy none): it never gates");
}

}  // namespace
}  // namespace heddle::cosim
