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
  /// Number of global-memory segments that the untimed CTAs access per warp-instruction. Set only if this
  /// ratio varies over the grid (CtaPlaces::varies).
  std::optional<double> rest_segments;
  std::vector<TimedWindow> windows;
};

/// A quantity (such as cycles) and the warp-instructions over which it was counted, in one CTA window.
struct Counted {
  double quantity = 0, instructions = 0;
};
/// Returns a rate (a quantity, such as cycles, per warp-instruction) with its confidence interval. Each of
/// `places` represents an equal share of a launch; they are sorted by CTA length. The variance is computed
/// from differences between neighbouring places, so a trend over the CTA lengths does not widen the interval.
/// `usual`: relative deviation between windows, as measured in other launches; 0: unknown. Because a few
/// windows are a small sample, `usual` counts like kUsualFreedom further differences.
constexpr std::size_t kUsualFreedom = 3;
Rate stratified_rate(const std::vector<Counted>& places, double usual = 0);

/// Returns a quantity of the whole launch: its value for the timed CTAs (`timed`), plus a rate times the
/// untimed instructions (`rest`). `of` returns the quantity of a window. The rate and its interval come from:
///
/// - a grid that is timed from its first CTA on: a forecast (grid_forecast.h). Too few windows for a forecast
///   give an infinite interval.
/// - CTAs with different numbers of memory accesses (CtaPlaces::varies): a regression line through the
///   windows gives the rate as a function of segments per instruction. The line is read at the value of the
///   untimed CTAs.
/// - other grids: the mean of the windows. The interval covers the deviation between windows. For a single
///   window, it covers the difference between the window's rate and the rate including the head.
///
/// If the grid's beginning was timed, its rate may be far outside the range of the other windows' rates:
/// there, CTAs begin in the same cycle. It is unknown how many of the untimed CTAs also begin together, so
/// the rate is then the middle between the rates of the beginning and of the other windows, and the interval
/// spans both.
Interval extended(const TimedPart& part, std::uint64_t rest, double timed,
                  const std::function<double(const TimedWindow&)>& of, double usual = 0);

std::vector<std::uint64_t> extended_counters(const TimedPart& part, std::uint64_t rest);

}  // namespace heddle::estimate
