#pragma once

// The GPU of a program's timed launches. A process has only one, because SystemC elaborates once.

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
#include "testbench/run/run_parameters.h"

namespace heddle {
class RunOutputs;
}

namespace heddle::program {

class TimedGpu {
 public:
  /// `waves`: folder for a waveform of the launches of this process; empty: none. Throws Error.
  TimedGpu(const run::RunParameters& parameters, const std::string& waves);
  ~TimedGpu();

  struct Result {
    Cycle cycles = 0;
    std::uint64_t ctas = 0;    ///< number of timed CTAs
    std::uint64_t issued = 0;  ///< warp-instructions that the GPU issued
    std::optional<double> energy_pj, dynamic_pj, baseline_pj;
  };

  /// Compiles the kernel for a launch of this shape at the first call.
  void compile(Kernel& kernel, const isa::KernelLaunch& shape);
  /// Throws Error if not even one CTA of a compiled program fits on an empty SM.
  void check(const isa::KernelLaunch& launch) const { gpu_->dispatcher().check(launch); }
  /// Runs one launch of a compiled program on memory(), which then holds the kernel's results. Throws the
  /// errors that the model reports.
  Result run(const isa::KernelLaunch& launch);
  bool estimates() const { return parameters_.estimate.enabled; }
  /// Times some places (windows of CTAs) of the launch, or of a similar launch, and estimates the whole.
  /// `parsed`: the kernel before any pass. With `watch.check`, the output of the timed CTAs is compared with
  /// the reference.
  struct Estimated {
    estimate::LaunchEstimate estimate;
    std::uint64_t ctas = 0;  ///< number of timed CTAs
    bool compared = false;
    std::vector<std::string> differences;
  };
  Estimated run_estimated(const isa::KernelLaunch& launch, std::shared_ptr<const isa::Program> parsed);
  /// Returns new estimates of earlier launches that have become more exact (EstimatedLaunches). Each is
  /// returned once.
  std::vector<estimate::LaunchEstimate> refined() { return std::exchange(refined_, {}); }
  /// Returns the estimate of all launches so far; nothing if none was estimated.
  std::optional<estimate::LaunchEstimate> total_estimate();
  MemoryImage& memory() { return memory_; }
  /// Returns true if only some CTAs of the launch are timed (watch.sample).
  bool samples(const isa::KernelLaunch& launch) const;
  const run::RunParameters& parameters() const { return parameters_; }
  /// Returns the number of CTAs of such a launch that an empty SM holds.
  int ctas_per_sm(const isa::KernelLaunch& launch) { return gpu_->dispatcher().ctas_per_sm(launch); }
  /// Returns the resources of an empty SM.
  SmResources capacity() { return gpu_->sm(0).capacity(); }
  /// Returns the counts of all timed launches as an object with "cycles" and "counters". Estimated launches
  /// count as a whole. Returns null if nothing was timed.
  ConfigNode counted();
  /// Writes the waveform.
  void finish();

 private:
  run::RunParameters parameters_;
  MemoryImage memory_;
  StatsRegistry stats_;
  std::unique_ptr<Gpu> gpu_;
  std::vector<std::size_t> issued_;  ///< positions of the counters of warp-instructions
  std::unique_ptr<power::EnergyAccount> energy_;
  std::vector<std::uint64_t>
      counted_;  ///< counts of launches that were not estimated, in the order of counters()
  Cycle counted_cycles_ = 0;
  std::unique_ptr<RunOutputs> outputs_;
  /// Parsed programs for estimates, by kernel.
  std::map<std::string, std::shared_ptr<const isa::Program>> parsed_;
  std::vector<std::string> warnings_;              ///< warnings of estimates
  std::vector<estimate::LaunchEstimate> refined_;  ///< new estimates of earlier launches, without counters
  std::unique_ptr<estimate::TimedWords> words_;
  estimate::UntimedStore untimed_store_;
  std::unique_ptr<estimate::EstimatedLaunches> estimated_;
};

}  // namespace heddle::program
