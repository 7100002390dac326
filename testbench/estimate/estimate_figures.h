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
  /// Position of the window among the CTA blocks sorted by length, from 0 (shortest) to 1.
  double position = 0;
  Cycle cycles = 0;
  std::uint64_t issued = 0;
  /// Increments of all counters in the window, in the order of StatsRegistry::counters().
  std::vector<std::uint64_t> counters;
  double energy_nj = 0;  ///< energy in the window; 0 for a run without technologies
  /// Segments of global memory per warp-instruction in the window. In a window after a jump in the grid, CTAs
  /// from before the jump still run, and their instructions count too.
  double segments = 0;
};

/// Measurements of a launch of which only some CTAs were timed.
struct TimedPart {
  Cycle cycles = 0;  ///< cycles of filling the machine, measuring, and draining
  std::uint64_t issued = 0;
  std::vector<std::uint64_t> counters;
  /// True: rates do not include the first timed CTAs (head), because these fill the machine one after the
  /// other.
  bool head_apart = false;
  TimedWindow head;  ///< counts from the first cycle of the launch to the first measured window
  /// Windows of the grid's beginning, in order, if it was timed after the other windows
  /// (CtaPlaces::times_beginning).
  std::vector<TimedWindow> beginning;
  /// Untimed CTAs of a grid that is timed in order (CtaPlaces::in_order): they follow all windows but the one
  /// at the end of the grid. Empty for other grids.
  std::optional<DispatchRange> rest;
  /// Segments of global memory per warp-instruction of the untimed CTAs; only if this ratio varies over the
  /// grid (CtaPlaces::varies).
  std::optional<double> rest_segments;
  std::vector<TimedWindow> windows;
};

/// A quantity (such as cycles) and the warp-instructions over which it was counted, in one CTA window.
struct Counted {
  double quantity = 0, instructions = 0;
};
/// Returns the rate per warp-instruction with its interval. `places` represent equal shares of a launch,
/// sorted by CTA length. Only differences between neighbours count as random, so a trend does not widen the
/// interval. `usual`: relative deviation between windows that other launches show; 0: unknown. It has the
/// weight of kUsualFreedom additional differences, because a few windows are a poor sample.
constexpr std::size_t kUsualFreedom = 3;
Rate stratified_rate(const std::vector<Counted>& places, double usual = 0);

/// Returns a quantity of the whole launch: its value for the timed CTAs (`timed`), plus a rate times the
/// untimed instructions (`rest`). `of` returns the quantity of a window. The interval covers the deviation
/// between windows. For a single window, it covers the difference between the window's rate and the rate
/// including the head. If the beginning of the grid was timed and its rate lies outside of the rates of all
/// other windows, CTAs may stay in step to the end: the rate is then in the middle between that of the
/// beginning and that of the other windows, and the interval spans both. If CTAs access memory differently
/// often, the rate is that of a regression line over
/// the windows' segments for each instruction, at the value of the untimed CTAs. For a grid that is timed in
/// order, it is that of a forecast (grid_forecast.h); too few windows for a forecast give an infinite
/// interval.
Interval extended(const TimedPart& part, std::uint64_t rest, double timed,
                  const std::function<double(const TimedWindow&)>& of, double usual = 0);

std::vector<std::uint64_t> extended_counters(const TimedPart& part, std::uint64_t rest);

}  // namespace heddle::estimate
