#pragma once

// Extrapolates counts measured at some places of a launch (windows of timed CTAs) to the whole launch.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/core/ids.h"

namespace heddle::estimate {

/// A value with its 90 % confidence interval.
struct Interval {
  double value = 0, low = 0, high = 0;
};

/// Counts of one window of timed CTAs, after its warm-up.
struct TimedWindow {
  std::uint64_t first_cta = 0, ctas = 0;
  /// Position of the window among the strata (blocks of CTAs sorted by length), from 0 to 1.
  double position = 0;
  Cycle cycles = 0;
  std::uint64_t issued = 0;  ///< warp-instructions that were issued in the window
  /// Increments of all counters in the window, in the order of StatsRegistry::counters().
  std::vector<std::uint64_t> counters;
  double energy_nj = 0;  ///< energy in the window; 0 for a run without technologies
};

/// Measurements of a launch of which only some CTAs were timed.
struct TimedPart {
  Cycle cycles = 0;  ///< cycles of the whole timed part: filling the machine, measured places, draining
  std::uint64_t issued = 0;
  std::vector<std::uint64_t> counters;
  /// True: the rates leave out the head (the CTAs that are timed first), because the head fills the machine
  /// in an artificial way. The rates of the places then apply to the head's instructions.
  bool head_apart = false;
  TimedWindow head;  ///< counts from the first cycle of the launch to the first place
  std::vector<TimedWindow> windows;
};

/// A quantity (such as cycles) at one place, and the warp-instructions over which it was counted.
struct Counted {
  double quantity = 0, instructions = 0;
};
/// The rate of a quantity per warp-instruction, computed from places that represent equal parts of a launch,
/// with half of its 90 % confidence interval. `places` are in the order of their strata. Only differences
/// between neighbouring places count as random, so a trend over the strata does not widen the interval.
struct Rate {
  double value = 0, half_width = 0;
};
/// `usual`: relative deviation between places in other launches; 0: unknown. `usual` has the weight of
/// kUsualFreedom additional differences between places, because a few places are a poor sample.
constexpr std::size_t kUsualFreedom = 3;
Rate stratified_rate(const std::vector<Counted>& places, double usual = 0);

/// Returns the sum of a quantity over the whole launch: the quantity of the timed CTAs (`timed`), plus the
/// rate per instruction times the instructions that were not timed (`rest`). `of` returns the quantity of a
/// window. The interval covers the deviation between places. With a single place, the interval covers the
/// difference between two rates: the rate of the place, and the rate of head and place together. `usual`: see
/// stratified_rate().
Interval extended(const TimedPart& part, std::uint64_t rest, double timed,
                  const std::function<double(const TimedWindow&)>& of, double usual = 0);

/// Returns the counters of the whole launch, rounded.
std::vector<std::uint64_t> extended_counters(const TimedPart& part, std::uint64_t rest);

}  // namespace heddle::estimate
