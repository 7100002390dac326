#pragma once

// One run, from launch file to results. The untimed reference and the timed GPU work on separate memory
// images. Both images are compared at the end. A process can execute one run, because SystemC elaborates
// once.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

/// What is recorded about one kernel launch of the run.
struct LaunchRecord {
  std::string kernel;       ///< mangled name of the kernel
  std::uint32_t index = 0;  ///< position of the launch in the run
  isa::Dim3 grid, block;
  bool timed = true;  ///< False: only the untimed reference executed the launch.
  /// True: result files contain all counters of the launch. False: they contain only a summary.
  bool in_full = false;
  std::uint64_t ctas_total = 0, ctas_timed = 0;
  int ctas_per_sm = 0;  ///< number of CTAs of the launch that an empty SM holds
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
  Cycle begin = 0, cycles = 0;
  std::vector<std::uint64_t>
      counters;  ///< increments of all counters during the launch, in the order of StatsRegistry::counters()
  /// Estimate of the whole launch, in a run with --estimate.
  std::optional<estimate::LaunchEstimate> estimate;
};

/// Sums over all launches of the run.
struct LaunchTotals {
  std::uint64_t launches = 0, timed = 0;
  std::uint64_t ctas = 0, ctas_timed = 0;
  Cycle cycles = 0;  ///< cycles of all timed launches
  std::vector<std::uint64_t>
      /// Increments of all counters, in the order of StatsRegistry::counters(); empty if no launch was timed.
      counters;
  void add(const LaunchRecord& record);
};

struct RunResult {
  /// The launches that results keep: the first timed launches and the first untimed launches, at most
  /// output.launches_in_full of each.
  std::vector<LaunchRecord> launches;
  LaunchTotals totals;
  std::optional<estimate::LaunchEstimate> estimate;  ///< estimate of all launches, in a run with --estimate
  /// Number of 32-bit words of the outputs, and the number of these words that timed CTAs wrote and that were
  /// compared with the reference.
  std::uint64_t output_words = 0, compared_words = 0;
  /// Descriptions of differences between the results of timed CTAs and of the reference.
  std::vector<std::string> timed_differences;
  /// result of the comparison with the reference; empty if nothing was compared
  std::vector<launch::BufferComparison> comparisons;
  bool checked = false;
  bool equal = true;
  bool interrupted = false;
  std::string unchecked_reason;
  /// Findings of the checks (watch.checks): printed lines with a summary, and the number of findings. Empty
  /// without checks.
  std::vector<std::string> check_lines;
  std::uint64_t findings = 0;
  std::vector<std::string> warnings;
  double timed_seconds = 0,
         reference_seconds = 0;  ///< CPU time; shown only on the terminal, never in result files
  std::uint64_t reference_instructions = 0;
};

/// Callbacks during a run. All are optional.
struct RunHooks {
  std::function<void(Gpu&)> on_built;  ///< called after the GPU has been built, before the first cycle
  std::function<void(const isa::KernelLaunch&)> on_launch;  ///< called before each launch that is timed
  std::function<void(const LaunchRecord&)>
      on_launch_end;  ///< called after every launch, also after launches that results do not keep
  /// Called at the end of each interval, when all counters are up to date.
  std::function<void(Cycle)> on_interval;
  std::function<bool(Cycle)> on_heartbeat;  ///< Returns true to end the run early (Ctrl-C).
  /// Called while the reference runs. Returns true to end the run early.
  std::function<bool()> on_reference;
};

class RunSession {
 public:
  /// Reads the launch file, its PTX and the technologies. Throws Error if any of them is invalid.
  RunSession(const RunParameters& parameters, RunHooks hooks = {});
  ~RunSession();

  /// Executes the whole run. May be called once. Throws Error.
  const RunResult& run();

  const RunParameters& parameters() const { return parameters_; }
  const launch::LaunchFile& launch_file() const { return file_; }
  const RunResult& result() const { return result_; }
  /// Returns the input files of the run, with hashes taken before they were read.
  const std::vector<InputFile>& inputs() const { return inputs_; }
  StatsRegistry& stats() { return stats_; }
  Gpu& gpu() { return *gpu_; }
  /// Returns the energy account of the run, once its GPU has been built; nullptr without technologies.
  const power::EnergyAccount* energy() const { return energy_.get(); }
  /// Returns the co-simulated RTL, once the GPU has been built; nullptr if there is none.
  const CoSimulation* co_simulation() const { return co_simulation_.get(); }
  /// Returns the kernel's name without its mangled parts, if only one kernel has it.
  std::string plain_name(const std::string& kernel) const;
  std::vector<launch::BufferView> outputs() const {
    return timed_run_ ? timed_run_->outputs() : std::vector<launch::BufferView>{};
  }
  /// Returns the text that kernels have printed, in the order of the reference if there is one.
  const launch::Printed& printed() const;
  const std::vector<std::pair<std::string, std::shared_ptr<const isa::Program>>>& programs() const {
    return programs_used_;
  }

 private:
  class Executor;
  reference::ReferenceOptions reference_options() const;
  std::unique_ptr<launch::LaunchRun> launch_run(launch::ProgramProvider& programs, MemoryImage& memory) const;
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
  MemoryImage reference_memory_, timed_memory_;
  StatsRegistry stats_;
  std::unique_ptr<Gpu> gpu_;
  std::unique_ptr<CoSimulation> co_simulation_;
  /// technologies of the run, until the energy account takes them over
  std::vector<power::Technology> technologies_;
  std::unique_ptr<power::EnergyAccount> energy_;
  std::unique_ptr<launch::LaunchRun> reference_run_, timed_run_;
  std::vector<std::pair<std::string, std::shared_ptr<const isa::Program>>> programs_used_;
  /// For each launch: the values that the launch has read from clocks, or from registers that name the SM or
  /// the warp slot. The key is the position of the launch in the run.
  std::map<std::uint32_t, std::shared_ptr<isa::MachineReads>> reads_;
  std::string incomparable_;  ///< reason why differing outputs cannot be compared
  estimate::UntimedStore untimed_store_;
  std::unique_ptr<estimate::TimedWords> timed_words_;
  /// Estimates of launches; nullptr in a run without --estimate.
  std::unique_ptr<estimate::EstimatedLaunches> estimates_;
  RunResult result_;
};

}  // namespace heddle::run
