// Results must not depend on the order in which modules are built and run, on whether modules sleep, or on
// earlier runs. Compares every counter and the cycles of every launch.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tlm>

#include "testbench/output/energy_output.h"
#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"
#include "tests/support/simulation.h"

namespace heddle {
namespace {

struct Machine {
  const char* name;
  const char* kernel;
  const char* preset;
  std::vector<std::string> sets;
  std::vector<std::string> with = {};
};

const std::vector<Machine> kMachines = {
    {"tiles_fermi", "matrix_mul", "fermi-gtx480", {}},
    {"tiles_maxwell", "matrix_mul", "maxwell-gtx980", {"gpu.sms=4"}},
    {"search_maxwell", "bfs", "maxwell-gtx980", {"gpu.sms=2"}},
    {"search_cmrc",
     "bfs",
     "fermi-cmrc",
     {R"(gpu.sm.scheduler={"type":"fetch-group","group_warps":4})", "gpu.sms=3"}},
    {"atomics_kepler", "histogram", "kepler-gtx780", {"gpu.sms=5"}},
    {"atomics_gebhart", "histogram", "fermi-gebhart", {"gpu.sms=2"}},
    {"barriers_gebhart", "reduction", "fermi-gebhart", {"gpu.sms=3", "compiler.max_registers=16"}},
    {"barriers_kepler", "reduction", "kepler-gtx780", {R"(gpu.sm.scheduler="lrr")", "gpu.sms=2"}},
    {"instruction_cache",
     "pathfinder",
     "fermi-virtualization",
     {R"(gpu.sm.front_end.stages=[{"type":"instruction-cache","bytes":512,"line_bytes":64,"ways":2,"miss_cycles":30}])",
      "gpu.sms=2"}},
    {"gating_fermi",
     "hotspot",
     "fermi-gtx480",
     {R"(gpu.sm.scheduler={"type":"gates","active_warps":8})", R"(gpu.sm.gating.int.policy="adaptive")",
      R"(gpu.sm.gating.fp.policy="coordinated-blackout")", R"(gpu.sm.gating.sfu.policy="conventional")",
      R"(gpu.sm.gating.ldst.policy="naive-blackout")", "gpu.sms=2"}},
    {"gating_six_clusters",
     "kmeans",
     "kepler-gtx780",
     {"gpu.sms=2", R"(gpu.sm.gating.int.policy="coordinated-blackout")",
      R"(gpu.sm.gating.fp.policy="adaptive")"}},
    {"hierarchy_gebhart",
     "bfs",
     "fermi-gebhart",
     {"gpu.sms=2", R"(gpu.sm.scheduler={"type":"two-level","active_warps":4})",
      R"(compiler.passes=["fold-parameters","strands",{"type":"operand-file","entries":3},"liveness-hints"])",
      R"(gpu.sm.register_file.stages=["operand-file",{"type":"register-cache","entries":6},"banks"])"}},
    {"subarrays_scan", "scan", "fermi-gtx480", {"gpu.sms=2"}, {"virtualization"}},
    {"subarrays_search", "bfs", "fermi-gtx480", {"gpu.sms=2"}, {"gpu-shrink"}},
    {"divergence_maxwell", "tree_search", "maxwell-gtx980", {"gpu.sms=3", R"(gpu.sm.scheduler="gto")"}},
};

struct Statistics {
  std::map<std::string, std::uint64_t> counts;
  std::map<std::string, double> energies;
};

Statistics statistics_of(const Machine& machine, const std::string& set = {}) {
  run::ScenarioRequest request;
  request.gpu = machine.preset;
  request.launch = std::string("testbench/kernels/") + machine.kernel + "/small.json";
  request.with = machine.with;
  request.sets = machine.sets;
  request.sets.insert(request.sets.end(), {"watch.check=off", R"(power.technologies=["gtx480-45nm"])"});
  if (!set.empty()) request.sets.push_back(set);
  const testing_support::Simulation simulation;
  run::RunSession session(run::read_scenario(request));
  const run::RunResult& result = session.run();
  Statistics statistics;
  for (const CounterInfo& info : session.stats().counters())
    EXPECT_TRUE(statistics.counts.emplace(info.full_name(), info.counter->value()).second)
        << info.full_name();
  for (const run::LaunchRecord& launch : result.launches) {
    statistics.counts["launch " + std::to_string(launch.index) + " begin"] = launch.begin;
    statistics.counts["launch " + std::to_string(launch.index) + " cycles"] = launch.cycles;
  }
  for (const power::StructureReport& structure : output::total_energy(session).structures)
    statistics.energies[structure.name] = structure.energy.spent.total();
  return statistics;
}

void expect_equal(const Statistics& a, const Statistics& b) {
  ASSERT_EQ(a.counts.size(), b.counts.size());
  for (const auto& [name, value] : a.counts) EXPECT_EQ(value, b.counts.at(name)) << name;
  ASSERT_EQ(a.energies.size(), b.energies.size());
  for (const auto& [name, value] : a.energies) EXPECT_EQ(value, b.energies.at(name)) << name;
}

class EveryStatistic : public testing::TestWithParam<Machine> {};

TEST_P(EveryStatistic, IsTheSame) {
  const Statistics first = statistics_of(GetParam());
  EXPECT_GT(first.counts.at("sm0.issue.issued"), 0u);
  EXPECT_FALSE(first.energies.empty());
  for (const char* set : {"", "watch.shuffle_seed=1", "watch.shuffle_seed=2", "watch.shuffle_seed=3",
                          "watch.every_cycle=true", "watch.interval_cycles=777"}) {
    SCOPED_TRACE(set);
    expect_equal(first, statistics_of(GetParam(), set));
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryStatistic, testing::ValuesIn(kMachines),
                         [](const auto& instance) { return std::string(instance.param.name); });

// Counts the cycles in which one CTA ended and another CTA or warp began. Also counts how often both used the
// same CTA slot.
class SlotsListener : public tlm::tlm_analysis_if<LifeEvent> {
 public:
  void write(const LifeEvent& event) override {
    const bool began = event.what == Life::cta_begins || event.what == Life::warp_begins;
    const bool ended = event.what == Life::cta_ends;
    if (!began && !ended) return;
    if (event.cycle != cycle_) ended_.clear();
    cycle_ = event.cycle;
    if (ended) ended_.insert(event.cta_slot.value);
    meetings += began && !ended_.empty();
    taken_at_once += began && ended_.count(event.cta_slot.value);
  }
  int meetings = 0, taken_at_once = 0;

 private:
  Cycle cycle_ = kNever;
  std::set<std::uint32_t> ended_;
};

// The last warp of a CTA may end before or after another CTA begins in the same cycle. In both cases, the
// resources of the ended CTA must become free only in the next cycle.
TEST(Runs, SlotsRestInTheCycleInWhichTheirCtaEnded) {
  run::ScenarioRequest request;
  request.gpu = "fermi-gtx480";
  request.launch = "testbench/kernels/scan/launch.json";
  request.sets = {"gpu.sms=1", "watch.check=off"};
  const testing_support::Simulation simulation;
  SlotsListener listener;
  run::RunHooks hooks;
  hooks.on_built = [&listener](Gpu& gpu) {
    gpu.sm(0).events.bind(listener);
    gpu.sm(0).observe_events();
  };
  run::RunSession(run::read_scenario(request), hooks).run();
  EXPECT_GT(listener.meetings, 0);
  EXPECT_EQ(listener.taken_at_once, 0);
}

TEST(Runs, DoNotHangOnWhatRanBefore) {
  const Statistics alone = statistics_of(kMachines[0]);
  statistics_of(kMachines[6]);
  statistics_of(kMachines[2]);
  expect_equal(alone, statistics_of(kMachines[0]));
}

}  // namespace
}  // namespace heddle
