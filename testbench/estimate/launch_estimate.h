#pragma once

// Estimate of a launch, or of all launches of a run.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbench/estimate/estimate_figures.h"

namespace heddle::estimate {

/// A paired place: consecutive timed CTAs that are the same in all runs of a launch (estimate.paired_share).
struct PairedPlace {
  std::uint32_t launch = 0;
  std::uint64_t first_cta = 0, ctas = 0;
  Cycle cycles = 0;
  std::uint64_t issued = 0;
  /// Cycles of the launch that contains the place, and of the launches that this launch represents.
  double stands_for = 0;
  /// Energy in the place, and energy of the launches that the place represents, in a run with technologies.
  double energy_nj = 0, stands_for_nj = 0;
};

/// Estimate of a launch or a run. Cycles are whole numbers, so that launches add up to the printed total.
struct LaunchEstimate {
  std::uint32_t launch = 0;  ///< index of the launch in the run
  /// True: every CTA was timed. The interval then has no width, unless the launch follows an estimated launch
  /// and thus began with estimated L2 contents.
  bool whole = false;
  /// index of the similar launch that was timed instead of this launch
  std::optional<std::uint32_t> like;
  std::uint64_t instructions = 0;  ///< warp-instructions of the whole launch, as issued
  /// smallest and largest value of `instructions` in the orders of CTAs that were executed, if the number
  /// depends on the order
  std::uint64_t instructions_low = 0, instructions_high = 0;
  bool order_dependent =
      /// True: control flow may depend on the order of CTAs or on time. The counts then hold for one order
      /// only.
      false;
  std::uint64_t instructions_timed = 0;  ///< warp-instructions of the timed CTAs
  std::uint64_t waves = 0;               ///< number of waves of CTAs in the grid, rounded up
  /// True: instructions were counted by executing the program. False: the number of instructions is estimated
  /// too, because the hardware adds some (spills at run time).
  bool exact_counts = true;
  Interval cycles;
  /// Estimated energies of the launch, in a run with technologies.
  std::optional<Interval> energy_nj, dynamic_nj;
  /// Estimated counters of the whole launch, in the order of StatsRegistry::counters().
  std::vector<std::uint64_t> counters;
  std::vector<TimedWindow> windows;
  std::vector<PairedPlace> paired;  ///< paired places of all launches; only in the estimate of a whole run
};

/// Returns the interval moved to the nearest whole value, with the same width.
Interval to_whole(const Interval& interval);

/// Sum of the estimates of launches. Errors of launches with the same representative add up. Errors of other
/// launches are independent, except for effects that no timed CTAs show: these effects have the same sign in
/// all launches.
class EstimateTotals {
 public:
  /// `unsampled`: share of error that every estimated value has due to effects that no timed CTAs show. The
  /// intervals of the launches already include this share.
  explicit EstimateTotals(double unsampled = 0) : unsampled_(unsampled) {}
  void add(const LaunchEstimate& estimate, std::size_t cluster);
  /// Returns the estimate of the whole run, without measurements of single windows.
  LaunchEstimate total() const;
  /// Returns true if the error of all launches so far and of `more` is within this share of their cycles.
  /// `more`: the interval of a further launch in the group `cluster`; errors within a group add up. Effects
  /// that no timed CTAs show are left out.
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
