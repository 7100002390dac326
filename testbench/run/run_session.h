#pragma once

// One run from launch file to results: the untimed reference and the timed GPU on images of their own,
// compared at the end. One session a process: SystemC elaborates once.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/core/stats.h"
#include "models/gpu/gpu.h"
#include "models/reference/reference.h"
#include "power/energy_account.h"
#include "testbench/launch/launch_run.h"
#include "testbench/launch/output_compare.h"
#include "testbench/run/estimated_launches.h"
#include "testbench/run/inputs.h"
#include "testbench/run/run_parameters.h"

namespace heddle::run {

/// One kernel launch of the run.
struct LaunchRecord {
  std::string kernel;       ///< mangled
  std::uint32_t index = 0;  ///< position in the run
  isa::Dim3 grid, block;
  bool timed = true;     ///< else executed by the reference
  bool in_full = false;  ///< results hold its counters; else what is short of it
  std::uint64_t ctas_total = 0, ctas_timed = 0;
  int ctas_per_sm = 0;  ///< that an empty SM holds
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
  Cycle begin = 0, cycles = 0;
  std::vector<std::uint64_t> counters;  ///< what the launch added, in the order of StatsRegistry::counters()
  std::optional<LaunchEstimate> estimate;  ///< of a run that estimates: of the whole launch
};

/// All launches of a run added up.
struct LaunchTotals {
  std::uint64_t launches = 0, timed = 0;
  std::uint64_t ctas = 0, ctas_timed = 0;
  Cycle cycles = 0;  ///< of the timed ones
  std::vector<std::uint64_t>
      counters;  ///< in the order of StatsRegistry::counters(); empty if none was timed
  void add(const LaunchRecord& record);
};

struct RunResult {
  /// The first ones: of those that are timed, and of those that are not, at most output.launches_in_full each.
  std::vector<LaunchRecord> launches;
  LaunchTotals totals;
  std::optional<LaunchEstimate> estimate;  ///< of all launches of a run that estimates
  /// 32-bit words of the outputs; of these, those that timed CTAs wrote and that were compared with the reference's.
  std::uint64_t output_words = 0, compared_words = 0;
  std::vector<std::string> timed_differences;         ///< what timed CTAs wrote otherwise than the reference
  std::vector<launch::BufferComparison> comparisons;  ///< empty if not checked
  bool checked = false;
  bool equal = true;
  bool interrupted = false;
  std::string unchecked_reason;
  std::vector<std::string> warnings;
  double timed_seconds = 0,
         reference_seconds = 0;  ///< CPU time; for the terminal alone, never in result files
  std::uint64_t reference_instructions = 0;
};

/// Called while a run goes on; all optional.
struct RunHooks {
  std::function<void(Gpu&)> on_built;                       ///< after construction, before the first cycle
  std::function<void(const isa::KernelLaunch&)> on_launch;  ///< a timed launch begins
  std::function<void(const LaunchRecord&)> on_launch_end;   ///< of every launch, whether it is kept or not
  std::function<void(Cycle)> on_interval;                   ///< counters are exact for this cycle
  std::function<bool(Cycle)> on_heartbeat;                  ///< true: end the run early
  std::function<bool()> on_reference;  ///< asked while the reference runs; true: end the run early
};

class RunSession {
 public:
  /// Reads the launch file, its PTX and the technologies. Throws Error for whatever is wrong with them.
  RunSession(const RunParameters& parameters, RunHooks hooks = {});
  ~RunSession();

  /// Runs everything. Throws Error. May be called once.
  const RunResult& run();

  const RunParameters& parameters() const { return parameters_; }
  const launch::LaunchFile& launch_file() const { return file_; }
  const RunResult& result() const { return result_; }
  /// What the run reads, hashed before it was read.
  const std::vector<InputFile>& inputs() const { return inputs_; }
  StatsRegistry& stats() { return stats_; }
  Gpu& gpu() { return *gpu_; }
  /// The energy account of the run, from the time on at which its GPU has been built; nullptr if it names no
  /// technology.
  const power::EnergyAccount* energy() const { return energy_.get(); }
  /// The RTL beside the model, from the time on at which the GPU has been built; nullptr without.
  const CoSimulation* co_simulation() const { return co_simulation_.get(); }
  /// A kernel's name without what mangling adds, where that is unambiguous.
  std::string plain_name(const std::string& kernel) const;
  /// Outputs of the timed run.
  std::vector<launch::BufferView> outputs() const {
    return timed_run_ ? timed_run_->outputs() : std::vector<launch::BufferView>{};
  }
  /// What the kernels have printed, in the order of the reference where there is one.
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
  UntimedStore untimed_store_;
  std::unique_ptr<TimedWords> timed_words_;
  std::unique_ptr<EstimatedLaunches> estimates_;  ///< of a run that estimates
  RunResult result_;
};

}  // namespace heddle::run
