#pragma once

// The GPU that times a program's launches. A process has only one GPU, because SystemC elaborates once.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/core/stats.h"
#include "models/gpu/gpu.h"
#include "power/energy_account.h"
#include "testbench/estimate/estimated_launches.h"
#include "testbench/estimate/timed_words.h"
#include "testbench/program/kernel.h"
#include "testbench/program/kernel_counts.h"
#include "testbench/run/run_parameters.h"
#include "testbench/view/view_parameters.h"

namespace heddle {
class RunOutputs;
namespace view {
class ViewRecorder;
}
}  // namespace heddle

namespace heddle::program {

class TimedGpu {
 public:
  /// Builds the GPU. `waves`: folder for a waveform of this process's launches; empty: no waveform. `view`:
  /// parameters of the recording of the first timed launch; without a file name, nothing is recorded. Throws
  /// Error for parameters that the GPU, the energy account or an output refuses.
  TimedGpu(const run::RunParameters& parameters, const std::string& waves,
           const view::ViewParameters& view = {});
  ~TimedGpu();

  struct Result {
    Cycle cycles = 0;
    std::uint64_t ctas = 0;
    std::uint64_t issued = 0;
    std::optional<double> energy_pj, dynamic_pj, baseline_pj;
  };

  /// Compiles the kernel, for the number of resident warps that this grid and block give. Does nothing if the
  /// kernel is already compiled, even for another grid or block.
  void compile(Kernel& kernel, const isa::KernelLaunch& shape);
  /// Throws Error if a CTA of the launch does not fit into an empty SM.
  void check(const isa::KernelLaunch& launch) const { gpu_->dispatcher().check(launch); }
  /// Times one launch. Afterwards, memory() contains the kernel's results. Throws Error if the simulation
  /// stops with an error, for example at a deadlock.
  Result run(const isa::KernelLaunch& launch);
  bool estimates() const { return parameters_.estimate.enabled; }
  /// Result of run_estimated(), which times some CTAs of this launch or of a similar launch. `parsed`: the
  /// kernel before any compiler pass. With `watch.check`, outputs of the timed CTAs are compared with the
  /// reference.
  struct Estimated {
    estimate::LaunchEstimate estimate;
    std::uint64_t ctas = 0;
    bool compared = false;
    std::vector<std::string> differences;
  };
  Estimated run_estimated(const isa::KernelLaunch& launch, std::shared_ptr<const isa::Program> parsed);
  /// Returns those better estimates of earlier launches (EstimatedLaunches) that no earlier call of refined()
  /// has returned.
  std::vector<estimate::LaunchEstimate> refined() { return std::exchange(refined_, {}); }
  std::optional<estimate::LaunchEstimate> total_estimate();
  MemoryImage& memory() { return memory_; }
  /// Returns true if watch.sample selects only some CTAs of this launch for timing.
  bool samples(const isa::KernelLaunch& launch) const;
  const run::RunParameters& parameters() const { return parameters_; }
  int ctas_per_sm(const isa::KernelLaunch& launch) { return gpu_->dispatcher().ctas_per_sm(launch); }
  SmResources capacity() { return gpu_->sm(0).capacity(); }
  /// Returns the counters of all timed launches as an object with "cycles", "counters" and "kernels" (the
  /// counters of each kernel, KernelCounts). For an estimated launch, the estimated values count. Returns
  /// null if nothing was timed.
  ConfigNode counted();
  void finish();

 private:
  void write_page();
  void count_kernel(const isa::KernelLaunch& launch, const std::vector<std::uint64_t>& counters,
                    double cycles);

  run::RunParameters parameters_;
  MemoryImage memory_;
  StatsRegistry stats_;
  std::unique_ptr<Gpu> gpu_;
  std::vector<std::size_t> issued_;
  std::unique_ptr<power::EnergyAccount> energy_;
  /// sums of the counters over launches that were not estimated, in the order of counters()
  std::vector<std::uint64_t> counted_;
  Cycle counted_cycles_ = 0;
  KernelCounts kernel_counts_;
  std::map<std::string, compiler::LoadWaits> load_waits_;
  std::unique_ptr<RunOutputs> outputs_;
  std::unique_ptr<view::ViewRecorder> recorder_;
  std::string page_;  ///< path of the recording's page; empty: no recording, or the page has been written
  /// for each kernel, the program before any compiler pass; needed for estimates
  std::map<std::string, std::shared_ptr<const isa::Program>> parsed_;
  std::vector<std::string> warnings_;
  std::vector<estimate::LaunchEstimate> refined_;
  std::unique_ptr<estimate::TimedWords> words_;
  estimate::UntimedStore untimed_store_;
  std::unique_ptr<estimate::EstimatedLaunches> estimated_;
};

}  // namespace heddle::program
