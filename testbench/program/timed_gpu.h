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
  /// `waves`: folder for a waveform of this process's launches; empty: none. `view`: recording of the first
  /// timed launch; without a file, none. Throws Error.
  TimedGpu(const run::RunParameters& parameters, const std::string& waves,
           const view::ViewParameters& view = {});
  ~TimedGpu();

  struct Result {
    Cycle cycles = 0;
    std::uint64_t ctas = 0;
    std::uint64_t issued = 0;
    std::optional<double> energy_pj, dynamic_pj, baseline_pj;
  };

  /// Compiles the kernel once, for a launch of this grid and block.
  void compile(Kernel& kernel, const isa::KernelLaunch& shape);
  /// Throws Error if an empty SM cannot hold one CTA.
  void check(const isa::KernelLaunch& launch) const { gpu_->dispatcher().check(launch); }
  /// Times one launch. memory() then holds the kernel's results. Throws the model's errors.
  Result run(const isa::KernelLaunch& launch);
  bool estimates() const { return parameters_.estimate.enabled; }
  /// Times some CTAs of this launch or of a similar one. `parsed`: the kernel before any compiler pass. With
  /// `watch.check`, the timed CTAs' output is compared with the reference.
  struct Estimated {
    estimate::LaunchEstimate estimate;
    std::uint64_t ctas = 0;
    bool compared = false;
    std::vector<std::string> differences;
  };
  Estimated run_estimated(const isa::KernelLaunch& launch, std::shared_ptr<const isa::Program> parsed);
  /// Returns improved estimates of earlier launches (EstimatedLaunches), each once.
  std::vector<estimate::LaunchEstimate> refined() { return std::exchange(refined_, {}); }
  std::optional<estimate::LaunchEstimate> total_estimate();
  MemoryImage& memory() { return memory_; }
  /// Returns true if only a sample of the launch's CTAs is timed (watch.sample).
  bool samples(const isa::KernelLaunch& launch) const;
  const run::RunParameters& parameters() const { return parameters_; }
  int ctas_per_sm(const isa::KernelLaunch& launch) { return gpu_->dispatcher().ctas_per_sm(launch); }
  SmResources capacity() { return gpu_->sm(0).capacity(); }
  /// Returns the counters of all timed launches as an object with "cycles", "counters", and "kernels" with
  /// the counters of each kernel (KernelCounts). An estimated launch counts with its estimated values.
  /// Returns null if nothing was timed.
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
  /// counter sums of launches that were not estimated, in the order of counters()
  std::vector<std::uint64_t> counted_;
  Cycle counted_cycles_ = 0;
  KernelCounts kernel_counts_;
  std::map<std::string, compiler::LoadWaits> load_waits_;
  std::unique_ptr<RunOutputs> outputs_;
  std::unique_ptr<view::ViewRecorder> recorder_;
  std::string page_;  ///< path of the page of the recording that is still to be written; empty: none
  /// programs before any compiler pass, by kernel, for estimates
  std::map<std::string, std::shared_ptr<const isa::Program>> parsed_;
  std::vector<std::string> warnings_;
  std::vector<estimate::LaunchEstimate> refined_;
  std::unique_ptr<estimate::TimedWords> words_;
  estimate::UntimedStore untimed_store_;
  std::unique_ptr<estimate::EstimatedLaunches> estimated_;
};

}  // namespace heddle::program
