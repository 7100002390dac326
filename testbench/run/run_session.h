#pragma once

// Executes one run, from launch file to results. The untimed reference and the timed GPU work on separate
// memory images, which are compared at the end. A process can execute one run, because SystemC elaborates
// once.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/compiler/load_waits.h"
#include "models/core/counter_classes.h"
#include "models/core/stats.h"
#include "models/gpu/gpu.h"
#include "models/reference/reference.h"
#include "power/energy_account.h"
#include "testbench/estimate/estimated_launches.h"
#include "testbench/launch/launch_run.h"
#include "testbench/launch/output_compare.h"
#include "testbench/run/inputs.h"
#include "testbench/run/run_parameters.h"

namespace heddle::run {

struct LaunchRecord {
  std::string kernel;
  std::uint32_t index = 0;
  isa::Dim3 grid, block;
  bool timed = true;  ///< False: only the untimed reference executed the launch.
  /// True if result files contain all counters of the launch; false: only a summary.
  bool in_full = false;
  std::uint64_t ctas_total = 0, ctas_timed = 0;
  int ctas_per_sm = 0;  ///< CTAs of the launch that an empty SM holds
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
  std::shared_ptr<const isa::Program> program;
  Cycle begin = 0, cycles = 0;
  std::vector<std::uint64_t> counters;
  std::optional<estimate::LaunchEstimate> estimate;
};

struct LaunchTotals {
  std::uint64_t launches = 0, timed = 0;
  std::uint64_t ctas = 0, ctas_timed = 0;
  Cycle cycles = 0;
  /// Increments of all counters, in the order of StatsRegistry::counters(); empty if no launch was timed.
  std::vector<std::uint64_t> counters;
  void add(const LaunchRecord& record);
};

struct RunResult {
  /// Records of the first timed launches and of the first untimed launches, at most output.launches_in_full
  /// of each.
  std::vector<LaunchRecord> launches;
  LaunchTotals totals;
  std::optional<estimate::LaunchEstimate> estimate;
  /// Number of 32-bit words in the outputs, and how many of these words were compared with the reference,
  /// because timed CTAs wrote them.
  std::uint64_t output_words = 0, compared_words = 0;
  std::vector<std::string> timed_differences;
  /// result of the comparison with the reference, for each buffer; empty if nothing was compared
  std::vector<launch::BufferComparison> comparisons;
  bool checked = false;
  bool equal = true;
  bool interrupted = false;
  std::string unchecked_reason;
  /// Findings of the checks (watch.checks) and a summary, as printed, and the number of findings. Empty
  /// without checks.
  std::vector<std::string> check_lines;
  std::uint64_t findings = 0;
  std::vector<std::string> warnings;
  double timed_seconds = 0, reference_seconds = 0;
  std::uint64_t reference_instructions = 0;
};

struct RunHooks {
  std::function<void(Gpu&)> on_built;
  std::function<void(const isa::KernelLaunch&)> on_launch;
  std::function<void(const LaunchRecord&)> on_launch_end;
  /// Called at the end of each interval. At this time all counters are up to date, so the function can read
  /// them.
  std::function<void(Cycle)> on_interval;
  std::function<bool(Cycle)> on_heartbeat;  ///< Returns true to end the run early (Ctrl-C).
  /// Called while the reference runs; returns true to end the run early.
  std::function<bool()> on_reference;
};

class RunLaws;

class RunSession {
 public:
  /// Reads launch file, PTX and technologies. Throws Error if any of them is invalid.
  RunSession(const RunParameters& parameters, RunHooks hooks = {});
  ~RunSession();

  /// Executes the whole run, once. Throws Error.
  const RunResult& run();

  const RunParameters& parameters() const { return parameters_; }
  const launch::LaunchFile& launch_file() const { return file_; }
  const RunResult& result() const { return result_; }
  /// Returns the run's input files. The hashes were taken before the files were read.
  const std::vector<InputFile>& inputs() const { return inputs_; }
  StatsRegistry& stats() { return stats_; }
  /// Returns the classes of all counters. Call after the session has built its GPU.
  const CounterClasses& counter_classes() {
    if (!counter_classes_) counter_classes_.emplace(stats_);
    return *counter_classes_;
  }
  Gpu& gpu() { return *gpu_; }
  /// Returns the energy account; nullptr without technologies, or before the GPU is built.
  const power::EnergyAccount* energy() const { return energy_.get(); }
  /// Returns the co-simulated RTL; nullptr without co-simulation, or before the GPU is built.
  const CoSimulation* co_simulation() const { return co_simulation_.get(); }
  std::string plain_name(const std::string& kernel) const;
  std::vector<launch::BufferView> outputs() const {
    return timed_run_ ? timed_run_->outputs() : std::vector<launch::BufferView>{};
  }
  /// Returns the text that kernels have printed. If the reference ran, the text is in the order in which the
  /// reference printed it.
  const launch::Printed& printed() const;
  const std::vector<std::pair<std::string, std::shared_ptr<const isa::Program>>>& programs() const {
    return programs_used_;
  }
  /// Returns where a program that this session has compiled waits for loads. The first call for a program
  /// compiles it again, with the pass schedule-loads.
  const compiler::LoadWaits& load_waits(const isa::Program& compiled);

 private:
  class Executor;
  reference::ReferenceOptions reference_options() const;
  std::unique_ptr<launch::LaunchRun> launch_run(launch::ProgramProvider& programs, MemoryImage& memory) const;
  void prepare_runs();
  void run_reference();
  void run_timed();
  void run_timed_first();
  bool reads_machine(const std::vector<launch::Step>& steps) const;
  std::vector<launch::BufferView> compared_buffers(const launch::LaunchRun& run) const;
  void compare_printed();
  void compare_captured();
  void find_order_of_atomics();
  void explain_difference();
  void start_co_simulation();
  void start_estimates();
  void finish_estimates();
  void check_sample() const;
  void check_halves();
  void check_inputs();

  RunParameters parameters_;
  RunHooks hooks_;
  launch::LaunchFile file_;
  std::vector<InputFile> inputs_;
  std::unique_ptr<launch::PtxPrograms> parsed_, compiled_;
  std::map<std::pair<std::string, std::string>, isa::Program> parsed_programs_;
  std::map<const isa::Program*, compiler::LoadWaits> load_waits_;
  MemoryImage reference_memory_, timed_memory_;
  StatsRegistry stats_;
  std::optional<CounterClasses> counter_classes_;
  std::unique_ptr<Gpu> gpu_;
  std::unique_ptr<CoSimulation> co_simulation_;
  /// Laws of the hardware (run_laws.h) that a run with watch.check = "on" verifies; nullptr in other runs.
  std::unique_ptr<RunLaws> laws_;
  std::vector<power::Technology> technologies_;
  std::unique_ptr<power::EnergyAccount> energy_;
  std::unique_ptr<launch::LaunchRun> reference_run_, timed_run_;
  /// Two runs whose buffers are prepared. When a run begins, its object moves to reference_run_ or
  /// timed_run_, and the member here becomes nullptr.
  std::unique_ptr<launch::LaunchRun> prepared_reference_run_, prepared_timed_run_;
  std::vector<std::pair<std::string, std::shared_ptr<const isa::Program>>> programs_used_;
  /// Values that launches have read from clocks, or from registers that name the SM or warp slot. Key:
  /// position of the launch.
  std::map<std::uint32_t, std::shared_ptr<isa::MachineReads>> reads_;
  std::string incomparable_;
  estimate::UntimedStore untimed_store_;
  std::unique_ptr<estimate::TimedWords> timed_words_;
  std::unique_ptr<estimate::EstimatedLaunches> estimates_;
  RunResult result_;
};

}  // namespace heddle::run
