#pragma once

// Extrapolates counts at some places of a launch to the whole launch.

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

/// Counts of one place after its warm-up.
struct TimedWindow {
  std::uint64_t first_cta = 0, ctas = 0;
  double position = 0;  ///< position of its stratum, 0..1
  Cycle cycles = 0;
  std::uint64_t issued = 0;             ///< warp-instructions
  std::vector<std::uint64_t> counters;  ///< increments, in the order of StatsRegistry::counters()
  double energy_nj = 0;                 ///< for a run with technologies
};

/// Measurements of a launch of which some CTAs were timed.
struct TimedPart {
  Cycle cycles = 0;  ///< of the whole timed part: filling, places, draining
  std::uint64_t issued = 0;
  std::vector<std::uint64_t> counters;
  /// The head fills the machine in an artificial way. It is left out, and the rates of the places also apply
  /// to its instructions.
  bool head_apart = false;
  TimedWindow head;  ///< from the first cycle to the first place
  std::vector<TimedWindow> windows;
};

/// A quantity and the instructions that it was counted over, at one place.
struct Counted {
  double quantity = 0, instructions = 0;
};
/// Quantity an instruction over places that represent equal parts of a whole, and half of its 90 % confidence
/// interval. `places` are in the order of their strata: differences between neighbours are random,
/// differences between strata are not.
struct Rate {
  double value = 0, half_width = 0;
};
/// `usual`: relative deviation of places in other launches, with the weight of kUsualFreedom additional
/// differences, since a few places are a poor sample. 0: no other launches are known.
constexpr std::size_t kUsualFreedom = 3;
Rate stratified_rate(const std::vector<Counted>& places, double usual = 0);

/// Sum of a quantity over the whole: `timed` as measured, plus the rate over the places for each of the
/// `rest` instructions. `of` returns the quantity of a window. The interval covers the deviation of the
/// places. For a single place it covers the difference between its rate and that of head and place together.
/// `usual` as above.
Interval extended(const TimedPart& part, std::uint64_t rest, double timed,
                  const std::function<double(const TimedWindow&)>& of, double usual = 0);

/// Counters of the whole launch, rounded.
std::vector<std::uint64_t> extended_counters(const TimedPart& part, std::uint64_t rest);

}  // namespace heddle::estimate
