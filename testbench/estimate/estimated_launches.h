#pragma once

// Estimates the launches of a run. First, a launch is executed untimed, which gives its instruction counts
// and the memory for later launches. Then some CTA windows of the launch are timed, with the memory from
// before the launch. If several launches are similar, only some of them are timed.

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
    bool compares;
    bool declared;  ///< The launch file states that results depend on the order of CTAs or on time.
    TimedWords& words;
    const UntimedStore& store;
    std::vector<std::string>& warnings;
    /// Called after the next timed launch or at the end of the run, with the improved estimate of an untimed
    /// launch. The receiver can then replace the first estimate. May be empty.
    std::function<void(const LaunchEstimate&)> refined;
  };
  explicit EstimatedLaunches(Surroundings around)
      : around_(around), totals_(around.parameters.unsampled_percent / 100) {}

  struct Outcome {
    bool timed = false;
    Gpu::Result run;
    std::uint64_t ctas_timed = 0;
    std::vector<std::uint64_t> counters;
    LaunchEstimate estimate;
  };
  /// Estimates a launch. Afterwards `memory` holds the results of the whole launch. Calls `begins` before
  /// timing. A launch that replays recorded clock reads (run/machine_reads.h) is timed completely.
  Outcome launch(const isa::KernelLaunch& launch, MemoryImage& memory, const std::function<void()>& begins);

  LaunchEstimate total();

 private:
  LaunchSeries& series_of(const isa::KernelLaunch& launch, std::size_t& number);
  void add(std::size_t number, const std::vector<LaunchEstimate>& estimates);
  struct Before {
    /// Index in series_ of the launch's series. All launches of a series have the same kernel and block size.
    std::size_t series = 0;
    std::optional<LaunchSeries::Expected> expected;
  };
  void run_timed(const isa::KernelLaunch& launch, const UntimedExecution& untimed, bool whole,
                 const MemoryImage& memory, const Before& before_it, Outcome& outcome);
  void warm_before(const isa::KernelLaunch& launch, const LineMarks& lines, std::uint64_t unfinished,
                   const CtaPlaces::Place& place, bool again);
  /// Executes the CTAs begin .. end-1 untimed on `scratch_`. Appends the cache lines that they access to
  /// `touched`.
  void touch_between(const isa::KernelLaunch& launch, std::uint64_t begin, std::uint64_t end,
                     std::vector<std::uint64_t>& touched);
  void leave(const LineMarks& lines, const LaunchEstimate& estimate);
  /// Returns true if, at the start of the launch, the L2 holds lines that were estimated, not simulated.
  bool has_estimated_cache() const { return cache_estimated_ && around_.gpu.memory().held_lines() != 0; }
  void estimate(const UntimedCounts& counts, const TimedPart& part, std::uint64_t timed, Outcome& outcome);
  void take_whole(const TimedPart& part, bool cache_estimated, LaunchEstimate& estimate) const;
  power::EnergyParts spent(const std::vector<std::uint64_t>& counters, Cycle cycles) const;
  OrderDependence dependence_of(const isa::KernelLaunch& launch);
  void widen_counts(const isa::KernelLaunch& launch, const MemoryImage& before, const UntimedCounts& counts,
                    LaunchEstimate& estimate) const;
  Interval widened(const Interval& interval) const;
  bool is_good(const Interval& cycles, const Before& before) const;
  bool is_narrow(const Interval& cycles) const;
  bool ends_in_order(CtaPlaces& places, TimedPart& part, std::uint64_t waves, const Before& before) const;
  bool ends_in_stretches(CtaPlaces& places, TimedPart& part, Cycle elapsed, const Before& before) const;

  Surroundings around_;
  struct Series {
    std::string kernel;
    isa::Dim3 block;
    LaunchSeries launches;
  };
  std::vector<Series> series_;
  /// For each kernel: whether its control flow depends on the order of CTAs.
  std::map<std::string, OrderDependence> dependences_;
  EstimateTotals totals_;
  PairedPlaces paired_;
  /// Memory for repeated executions. It is kept between launches, because allocating pages costs more than
  /// copying them.
  MemoryImage after_, scratch_;
  /// addresses of the cache lines that all launches so far have accessed, in the order of the accesses
  std::vector<std::uint64_t> left_;
  bool cache_estimated_ =
      /// True if earlier launches were not timed completely. The L2 then lacks lines of these launches, and
      /// must be filled with the lines in `left_`.
      false;
};

}  // namespace heddle::estimate
