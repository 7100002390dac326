// The number of host threads that simulate the SMs must not change a byte of any output file.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "models/core/read_file.h"
#include "models/time/tick_team.h"
#include "testbench/experiment/simulate.h"
#include "testbench/output/run_outputs.h"
#include "testbench/run/scenario.h"
#include "tests/support/simulation.h"

namespace heddle::threads_test {
namespace {

struct Machine {
  const char* name;
  const char* kernel;
  const char* preset;
  std::vector<std::string> with, sets;
};
void PrintTo(const Machine& machine, std::ostream* out) { *out << machine.name; }

// Machines with state of techniques in every SM, with state that SMs share (atomics, fences, an L2, several
// launches), and with request queues that are often full. Each has enough CTAs for three host threads.
const std::vector<Machine> kMachines = {
    {"tiles", "matrix_mul", "fermi-gtx480", {}, {"watch.interval_cycles=500"}},
    {"atomics", "histogram", "kepler-gtx780", {}, {}},
    {"fences", "threadfence_sum", "maxwell-gtx980", {}, {}},
    {"renaming", "bfs", "fermi-gtx480", {"virtualization"}, {}},
    {"full_queues",
     "stencil_3d",
     "fermi-gtx480",
     {},
     {"gpu.atomics.input_queue_requests=2", "gpu.sm.load_store.memory_queue_requests=2",
      "gpu.sm.load_store.request_bytes_per_cycle=16"}},
    {"full_texture_queues",
     "texture_filter",
     "fermi-gtx480",
     {},
     {"gpu.atomics.input_queue_requests=2", "gpu.sm.load_store.memory_queue_requests=2"}},
    {"gating", "hotspot", "fermi-gtx480", {"warped-gates"}, {}},
    {"hybrid", "spmv", "fermi-gebhart", {"hybrid"}, {}},
    {"register_cache", "backprop", "fermi-gebhart", {"register-cache"}, {}},
    {"waves",
     "reduction",
     "fermi-gtx480",
     {},
     {"output.vcd.enabled=true", "output.vcd.select=\"sm*.warp0*.state,sm*.scheduler*.pick\"",
      "output.vcd.to_cycle=1500"}},
    {"events", "reduction", "fermi-gtx480", {}, {"output.profile=true", "output.timeline=true"}},
    {"json_events", "reduction", "fermi-gtx480", {}, {"output.timeline=true", "output.timeline_format=json"}},
};

run::RunParameters parameters_of(const Machine& machine, const std::string& folder, int threads,
                                 int quantum = 0) {
  run::ScenarioRequest request;
  request.gpu = machine.preset;
  request.launch = std::string("testbench/kernels/") + machine.kernel + "/small.json";
  request.with = machine.with;
  request.sets = machine.sets;
  request.sets.insert(
      request.sets.end(),
      {"gpu.sms=16", "watch.check=off", "output.folder=\"" + folder + "\"",
       "watch.threads=" + std::to_string(threads), "watch.quantum=" + std::to_string(quantum)});
  return run::read_scenario(request);
}

std::size_t busy_sms(const ConfigNode& result) {
  std::size_t busy = 0;
  for (const auto& [name, value] : result.find("total")->find("counters")->members)
    busy += name.ends_with(".ctas") && value.integer > 0;
  return busy;
}

std::map<std::string, std::string> files_of(const Machine& machine, int threads, int quantum = 0) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / (std::string("threads_") + machine.name);
  fs::remove_all(folder);
  {
    const testing_support::Simulation simulation;
    EXPECT_GE(busy_sms(experiment::simulate(parameters_of(machine, folder, threads, quantum))),
              2 * TickTeam::kTicksAThread);
  }
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder))
    files[entry.path().filename()] = read_whole_file(entry.path(), "a file of the run", kMostTextBytes);
  fs::remove_all(folder);
  return files;
}

class EveryFile : public testing::TestWithParam<Machine> {};
INSTANTIATE_TEST_SUITE_P(Threads, EveryFile, testing::ValuesIn(kMachines),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST_P(EveryFile, IsTheSameOnAnyNumberOfThreads) {
  const auto one = files_of(GetParam(), 1);
  EXPECT_TRUE(one.contains("result.json"));
  for (const int threads : {2, 3}) {
    const auto several = files_of(GetParam(), threads);
    ASSERT_EQ(one.size(), several.size());
    for (const auto& [name, text] : one) EXPECT_TRUE(text == several.at(name)) << name << ", " << threads;
  }
}

// The number of cycles by which SMs run ahead of each other must not change a byte of any output file either.
class Quantum : public testing::TestWithParam<Machine> {};
INSTANTIATE_TEST_SUITE_P(Quantum, Quantum, testing::ValuesIn(kMachines),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST_P(Quantum, ChangesNoFile) {
  const auto in_step = files_of(GetParam(), 1, 1);
  for (const auto& [threads, quantum] : {std::pair{1, 8}, {1, 64}, {1, 0}, {2, 0}}) {
    const auto apart = files_of(GetParam(), threads, quantum);
    ASSERT_EQ(in_step.size(), apart.size());
    for (const auto& [name, text] : in_step)
      EXPECT_TRUE(text == apart.at(name)) << name << ", " << quantum << ", " << threads;
  }
}

TEST(Threads, SmsThatSomebodyListensToRunInTurn) {
  for (const Machine& machine : kMachines) {
    const testing_support::Simulation simulation;
    const run::RunParameters parameters = parameters_of(machine, "", 2);
    MemoryImage image;
    StatsRegistry stats;
    Gpu gpu("gpu", parameters.gpu, image, stats, {});
    RunOutputs outputs(parameters.output);
    outputs.observe(gpu, stats);
    for (const auto& sm : gpu.sms())
      EXPECT_EQ(sm->clock().runs_beside_others(), std::string(machine.name) != "events") << machine.name;
  }
}

}  // namespace
}  // namespace heddle::threads_test
