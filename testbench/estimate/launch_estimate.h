#pragma once

// Estimate of a launch, or of all launches of a run.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbench/estimate/estimate_figures.h"

namespace heddle::estimate {

/// Consecutive CTAs that are timed in all compared runs of a launch (estimate.paired_share).
struct PairedPlace {
  std::uint32_t launch = 0;
  std::uint64_t first_cta = 0, ctas = 0;
  Cycle cycles = 0;
  std::uint64_t issued = 0;
  /// Cycles of this launch, plus the cycles of the untimed launches that this launch represents.
  double stands_for = 0;
  /// For a run with technologies: energy of the CTAs of this place, and energy of all launches that this
  /// launch represents.
  double energy_nj = 0, stands_for_nj = 0;
};

/// Estimate of a launch or a run. Cycles are whole numbers, so that launches add up to the printed total.
struct LaunchEstimate {
  std::uint32_t launch = 0;
  /// True if every CTA was timed. The interval then has no width, unless the L2 began with estimated
  /// contents.
  bool whole = false;
  /// index of the similar launch that was timed instead of this launch
  std::optional<std::uint32_t> like;
  std::uint64_t instructions = 0;
  /// The launch was executed untimed, in one or two orders of CTAs. Smallest and largest number of
  /// instructions of these executions.
  std::uint64_t instructions_low = 0, instructions_high = 0;
  bool order_dependent =
      /// Control flow may depend on the order of CTAs or on time, so the counts are valid for one order only.
      false;
  std::uint64_t instructions_timed = 0;
  std::uint64_t waves = 0;
  /// True if the untimed execution has counted all instructions. False if the counts include an estimated
  /// number of instructions that the hardware inserts at run time, such as spills.
  bool exact_counts = true;
  Interval cycles;
  std::optional<Interval> energy_nj, dynamic_nj;
  /// Estimated counters of the whole launch, in the order of StatsRegistry::counters().
  std::vector<std::uint64_t> counters;
  std::vector<TimedWindow> windows;
  /// Groups of CTAs that are timed in all compared runs; only in the estimate of a whole run.
  std::vector<PairedPlace> paired;
};

Interval to_whole(const Interval& interval);

/// Sums the estimates of launches. A cluster is a series of launches of one kernel with one block size.
/// Errors within a cluster are added linearly. Errors of different clusters are independent, so their squares
/// are added. Errors due to effects that no timed CTA shows have the same sign in all launches, so they are
/// also added linearly.
class EstimateTotals {
 public:
  /// `unsampled`: relative error due to effects that no timed CTA shows. The intervals of the launches
  /// already include this error.
  explicit EstimateTotals(double unsampled = 0) : unsampled_(unsampled) {}
  void add(const LaunchEstimate& estimate, std::size_t cluster);
  /// Returns the estimate of the whole run, without measurements of single windows.
  LaunchEstimate total() const;
  /// Returns true if the cycles of all launches so far and one further launch together have a relative error
  /// of at most `share`. `more`: estimated cycles of the further launch, which belongs to `cluster`. Leaves
  /// out errors due to effects that no timed CTA shows.
  bool known_within(double share, std::size_t cluster, const Interval& more) const;
  bool empty() const { return launches_ == 0; }
  double cycles() const { return interval(cycles_).value; }

 private:
  struct Sum {
    double value = 0, half = 0, unsampled = 0;
  };
  static Interval interval(const std::vector<Sum>& sums);
  void add(std::vector<Sum>& sums, std::size_t cluster, const Interval& interval) const;

  double unsampled_;

  std::uint64_t launches_ = 0;
  bool whole_ = true, exact_ = true, energy_ = true, order_dependent_ = false;
  std::uint64_t instructions_ = 0, low_ = 0, high_ = 0, timed_ = 0, waves_ = 0;
  std::vector<Sum> cycles_, energies_, dynamics_;
  std::vector<std::uint64_t> counters_;
};

}  // namespace heddle::estimate
