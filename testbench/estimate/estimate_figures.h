#pragma once

// Extrapolates counts of timed CTA windows to the whole launch.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/cta_dispatcher.h"
#include "testbench/estimate/rate.h"

namespace heddle::estimate {

struct Interval {
  double value = 0, low = 0, high = 0;
};

/// Counts of one window of timed CTAs, after its warm-up.
struct TimedWindow {
  std::uint64_t first_cta = 0, ctas = 0;
  /// Position of the window's block in a list of all blocks of CTAs (cta_places.h), sorted by length: from
  /// 0 (shortest) to 1.
  double position = 0;
  Cycle cycles = 0;
  std::uint64_t issued = 0;
  /// Increments of all counters in the window, in the order of StatsRegistry::counters().
  std::vector<std::uint64_t> counters;
  double energy_nj = 0;  ///< energy in the window; 0 for a run without technologies
  /// Number of accessed global-memory segments per warp-instruction in the window. After a jump to another
  /// position of the grid, CTAs from before the jump still run during the window. Their accesses and
  /// instructions count too.
  double segments = 0;
};

/// Untimed CTAs between two stretches (grid_stretches.h). `segments`: segments of global memory per
/// warp-instruction.
struct UntimedGap {
  DispatchRange ctas;
  double instructions = 0, segments = 0;
};

/// Measurements of a launch whose CTAs were not all timed.
struct TimedPart {
  Cycle cycles = 0;  ///< cycles of filling the machine, measuring, and draining
  std::uint64_t issued = 0;
  std::vector<std::uint64_t> counters;
  /// True if the rates are computed without the counts of `head`, because the first timed CTAs begin one
  /// after the other (CtaPlaces::ramps).
  bool head_apart = false;
  TimedWindow head;  ///< counts from the first cycle of the launch to the first measured window
  /// Windows of the grid's beginning, in the order of CTAs, if this beginning was timed after the other
  /// windows (CtaPlaces::times_beginning).
  std::vector<TimedWindow> beginning;
  /// Untimed CTAs of a grid that is timed from its first CTA on (CtaPlaces::in_order). These CTAs follow all
  /// timed windows except the last window of the grid. Empty for other grids.
  std::optional<DispatchRange> rest;
  /// Gaps between the stretches of a grid that is timed in stretches (CtaPlaces::stretches), in the order of
  /// the grid. Empty for other grids.
  std::vector<UntimedGap> gaps;
  std::vector<TimedWindow> windows;
};

/// A quantity (such as cycles) and the warp-instructions over which it was counted, in one CTA window.
struct Counted {
  double quantity = 0, instructions = 0;
};
/// Returns a rate (a quantity such as cycles, per warp-instruction) with its confidence interval. `places`
/// represent equal shares of a launch, sorted by CTA length. The variance is computed from differences
/// between neighbouring places, so a trend over the CTA lengths does not widen the interval. `usual`:
/// relative deviation between windows, as measured in other launches; 0: unknown. `usual` counts as much as
/// kUsualFreedom measured differences.
Rate stratified_rate(const std::vector<Counted>& places, double usual = 0);

/// Returns a quantity of the whole launch: its value for the timed CTAs (`timed`), plus a rate times the
/// untimed instructions (`rest`). `of` returns the quantity of a window. The rate and its interval come from:
///
/// - a grid that is timed in order: a forecast (grid_forecast.h). Too few windows for a forecast give an
///   infinite interval.
/// - a grid that is timed in stretches: regression lines over segments per instruction (gap_rates.h).
/// - other grids: the mean of the windows. The interval covers the deviation between windows. For a single
///   window, it covers the difference between the window's rate and the rate including the head.
///
/// If the grid's beginning was timed, its rate may be far outside the range of the other windows' rates:
/// there, CTAs begin in the same cycle. It is unknown how many of the untimed CTAs also begin together, so
/// the rate is then the middle between the rates of the beginning and of the other windows, and the interval
/// spans both.
Interval extended(const TimedPart& part, std::uint64_t rest, double timed,
                  const std::function<double(const TimedWindow&)>& of, double usual = 0);

/// Returns how much each gap of a grid that is timed in stretches contributes to half of the interval.
std::vector<double> doubts_of_gaps(const TimedPart& part, const std::function<double(const TimedWindow&)>& of,
                                   double usual);

std::vector<std::uint64_t> extended_counters(const TimedPart& part, std::uint64_t rest);

}  // namespace heddle::estimate
