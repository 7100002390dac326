#pragma once

// Estimates the launches of a run. Each launch is first executed untimed. The untimed execution gives the
// launch's instruction counts, and the memory for later launches. The launch is then timed at some places
// (windows of CTAs), with the memory from before the launch. Of several similar launches, only some are
// timed.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/gpu.h"
#include "power/energy_account.h"
#include "testbench/estimate/cta_places.h"
#include "testbench/estimate/estimate_parameters.h"
#include "testbench/estimate/launch_estimate.h"
#include "testbench/estimate/launch_series.h"
#include "testbench/estimate/order_dependence.h"
#include "testbench/estimate/paired_places.h"
#include "testbench/estimate/timed_words.h"
#include "testbench/estimate/untimed_store.h"

namespace heddle::estimate {

class EstimatedLaunches {
 public:
  struct Surroundings {
    const EstimateParameters& parameters;
    Gpu& gpu;
    const StatsRegistry& stats;
    const power::EnergyAccount* energy;
    std::function<reference::ReferenceOptions()> reference_options;
    /// Returns the program of the kernel before any pass.
    std::function<std::shared_ptr<const isa::Program>(const std::string& kernel)> parsed;
    bool compares;  ///< compares the writes of timed CTAs with the reference
    bool declared;  ///< The launch file states that results depend on the order of CTAs or on time.
    TimedWords& words;
    const UntimedStore& store;
    std::vector<std::string>& warnings;
    /// Called with the improved estimate of a launch that was not timed, when the next timed launch has been
    /// timed or the run has ended. May be empty.
    std::function<void(const LaunchEstimate&)> refined;
  };
  explicit EstimatedLaunches(Surroundings around)
      : around_(around), totals_(around.parameters.unsampled_percent / 100) {}

  struct Outcome {
    bool timed = false;
    Gpu::Result run;  ///< measurements of a launch that was timed
    std::uint64_t ctas_timed = 0;
    std::vector<std::uint64_t> counters;  ///< increments of all counters over the timed CTAs
    LaunchEstimate estimate;
  };
  /// Estimates a launch. Afterwards `memory` holds the results of the whole launch. Calls `begins` before the
  /// launch is timed. A launch with a record of reads (run/machine_reads.h) is timed whole, and `memory` then
  /// holds the timed results.
  Outcome launch(const isa::KernelLaunch& launch, MemoryImage& memory, const std::function<void()>& begins);

  /// Returns the estimate of all launches so far. Launches that lie between two timed ones are interpolated,
  /// so their first estimates are replaced by improved ones (Surroundings::refined). The result is the sum of
  /// the improved estimates.
  LaunchEstimate total();

 private:
  LaunchSeries& series_of(const isa::KernelLaunch& launch, std::size_t& number);
  void add(std::size_t number, const std::vector<LaunchEstimate>& estimates);
  /// Properties of a launch that are known before any of its CTAs is timed.
  struct Before {
    /// Index of the series (launches of one kernel and block size) to which the launch belongs.
    std::size_t series = 0;
    std::optional<LaunchSeries::Expected> expected;
  };
  void run_timed(const isa::KernelLaunch& launch, const UntimedExecution& untimed, bool whole,
                 const MemoryImage& memory, const Before& before_it, Outcome& outcome);
  void warm_before(const isa::KernelLaunch& launch, const LineMarks& lines, const CtaPlaces::Place& place,
                   bool again);
  /// Executes the CTAs begin .. end-1 on `scratch_` and appends the lines that they touch.
  void touch_between(const isa::KernelLaunch& launch, std::uint64_t begin, std::uint64_t end,
                     std::vector<std::uint64_t>& touched);
  void leave(const LineMarks& lines, const LaunchEstimate& estimate);
  /// Returns true if the L2 has estimated contents at the start of the launch.
  bool has_estimated_cache() const { return cache_estimated_ && around_.gpu.memory().held_lines() != 0; }
  void estimate(const UntimedCounts& counts, const TimedPart& part, std::uint64_t timed, Outcome& outcome);
  void take_whole(const TimedPart& part, bool cache_estimated, LaunchEstimate& estimate) const;
  power::EnergyParts spent(const std::vector<std::uint64_t>& counters, Cycle cycles) const;
  OrderDependence dependence_of(const isa::KernelLaunch& launch);
  void widen_counts(const isa::KernelLaunch& launch, const MemoryImage& before, const UntimedCounts& counts,
                    LaunchEstimate& estimate) const;
  Interval widened(const Interval& interval) const;
  bool is_good(const TimedPart& part, std::uint64_t all, const Before& before) const;

  Surroundings around_;
  struct Series {
    std::string kernel;
    isa::Dim3 block;
    LaunchSeries launches;
  };
  std::vector<Series> series_;
  /// For each kernel, whether its control flow depends on the order of CTAs.
  std::map<std::string, OrderDependence> dependences_;
  EstimateTotals totals_;
  PairedPlaces paired_;
  /// Memory for repeated executions. The images are kept between launches, because allocating pages on the
  /// host costs more than copying pages.
  MemoryImage after_, scratch_;
  std::vector<std::uint64_t>
      left_;  ///< addresses of the lines that all launches so far have touched, in the order of the touches
  bool cache_estimated_ =
      /// True: the L2 lacks lines of launches that were not timed completely, so it must be filled with
      /// `left_`.
      false;
};

}  // namespace heddle::estimate
