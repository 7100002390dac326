#pragma once

// One run from launch file to results: the untimed reference and the timed GPU execute on separate memory
// images, which are compared at the end. One session a process, since SystemC elaborates once.

#include <functional>
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

/// One kernel launch of the run.
struct LaunchRecord {
  std::string kernel;       ///< mangled
  std::uint32_t index = 0;  ///< position in the run
  isa::Dim3 grid, block;
  bool timed = true;     ///< false: executed by the reference
  bool in_full = false;  ///< results hold its counters; otherwise only a summary
  std::uint64_t ctas_total = 0, ctas_timed = 0;
  int ctas_per_sm = 0;  ///< capacity of an empty SM
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
  Cycle begin = 0, cycles = 0;
  std::vector<std::uint64_t>
      counters;  ///< increments of the launch, in the order of StatsRegistry::counters()
  std::optional<estimate::LaunchEstimate>
      estimate;  ///< estimate of the whole launch, in a run that estimates
};

/// Sum of all launches of a run.
struct LaunchTotals {
  std::uint64_t launches = 0, timed = 0;
  std::uint64_t ctas = 0, ctas_timed = 0;
  Cycle cycles = 0;  ///< of the timed launches
  std::vector<std::uint64_t>
      counters;  ///< in the order of StatsRegistry::counters(); empty if none was timed
  void add(const LaunchRecord& record);
};

struct RunResult {
  /// The first timed launches and the first others, at most output.launches_in_full each.
  std::vector<LaunchRecord> launches;
  LaunchTotals totals;
  std::optional<estimate::LaunchEstimate> estimate;  ///< of all launches, in a run that estimates
  /// 32-bit words of the outputs, and the number of those that timed CTAs wrote and that were compared with
  /// the reference.
  std::uint64_t output_words = 0, compared_words = 0;
  std::vector<std::string> timed_differences;         ///< differences between timed CTAs and the reference
  std::vector<launch::BufferComparison> comparisons;  ///< empty if not checked
  bool checked = false;
  bool equal = true;
  bool interrupted = false;
  std::string unchecked_reason;
  std::vector<std::string> warnings;
  double timed_seconds = 0,
         reference_seconds = 0;  ///< CPU time; shown on the terminal only, never in result files
  std::uint64_t reference_instructions = 0;
};

/// Callbacks during a run; all optional.
struct RunHooks {
  std::function<void(Gpu&)> on_built;                       ///< after construction, before the first cycle
  std::function<void(const isa::KernelLaunch&)> on_launch;  ///< a timed launch begins
  std::function<void(const LaunchRecord&)> on_launch_end;  ///< after every launch, kept in the results or not
  std::function<void(Cycle)> on_interval;                  ///< counters are exact for this cycle
  std::function<bool(Cycle)> on_heartbeat;                 ///< true: end the run early
  std::function<bool()> on_reference;  ///< called while the reference runs; true: end the run early
};

class RunSession {
 public:
  /// Reads the launch file, its PTX and the technologies. Throws Error for anything invalid in them.
  RunSession(const RunParameters& parameters, RunHooks hooks = {});
  ~RunSession();

  /// Runs everything. Throws Error. May be called once.
  const RunResult& run();

  const RunParameters& parameters() const { return parameters_; }
  const launch::LaunchFile& launch_file() const { return file_; }
  const RunResult& result() const { return result_; }
  /// Inputs of the run, hashed before they were read.
  const std::vector<InputFile>& inputs() const { return inputs_; }
  StatsRegistry& stats() { return stats_; }
  Gpu& gpu() { return *gpu_; }
  /// Energy account of the run, once its GPU has been built; nullptr without technologies.
  const power::EnergyAccount* energy() const { return energy_.get(); }
  /// Co-simulated RTL, once the GPU has been built; nullptr without.
  const CoSimulation* co_simulation() const { return co_simulation_.get(); }
  /// Kernel name without its mangled parts, if that is unambiguous.
  std::string plain_name(const std::string& kernel) const;
  /// Outputs of the timed run.
  std::vector<launch::BufferView> outputs() const {
    return timed_run_ ? timed_run_->outputs() : std::vector<launch::BufferView>{};
  }
  /// Text printed by kernels, in the order of the reference if there is one.
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
  void compare_printed();
  void compare_captured();
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
  std::vector<power::Technology> technologies_;  ///< until the account takes them
  std::unique_ptr<power::EnergyAccount> energy_;
  std::unique_ptr<launch::LaunchRun> reference_run_, timed_run_;
  std::vector<std::pair<std::string, std::shared_ptr<const isa::Program>>> programs_used_;
  estimate::UntimedStore untimed_store_;
  std::unique_ptr<estimate::TimedWords> timed_words_;
  std::unique_ptr<estimate::EstimatedLaunches> estimates_;  ///< in a run that estimates
  RunResult result_;
};

}  // namespace heddle::run
