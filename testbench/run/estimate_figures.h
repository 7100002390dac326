#pragma once

// From what was counted at some places of a launch to what the whole launch would have counted.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/core/ids.h"

namespace heddle::run {

/// A figure with its 90 % confidence interval.
struct Interval {
  double value = 0, low = 0, high = 0;
};

/// What was counted at one place after its warm-up.
struct TimedWindow {
  std::uint64_t first_cta = 0, ctas = 0;
  double position = 0;  ///< of its stratum, 0..1
  Cycle cycles = 0;
  std::uint64_t issued = 0;             ///< warp-instructions
  std::vector<std::uint64_t> counters;  ///< what it added, in the order of StatsRegistry::counters()
  double energy_nj = 0;                 ///< of a run with technologies
};

/// What a launch gave where some of its CTAs were timed.
struct TimedPart {
  Cycle cycles = 0;  ///< of the whole timed run: filling, places, draining
  std::uint64_t issued = 0;
  std::vector<std::uint64_t> counters;
  /// The head fills the machine as no launch does: it is no part of the whole, whose rates stand for its instructions, too.
  bool head_apart = false;
  TimedWindow head;  ///< from the first cycle to the first place
  std::vector<TimedWindow> windows;
};

/// A quantity and the instructions that it was counted over, at one place.
struct Counted {
  double quantity = 0, instructions = 0;
};
/// The quantity of an instruction over places that stand for equal parts of a whole, and half of its 90 % confidence
/// interval. `places` in the order of their strata: what neighbours differ by is chance, what the strata differ by is not.
struct Rate {
  double value = 0, half_width = 0;
};
/// `usual`: what places deviate by in other launches, relative, as if kUsualFreedom differences more had shown it: a few places
/// say little of their own deviation. 0: nothing is known of others.
constexpr std::size_t kUsualFreedom = 3;
Rate stratified_rate(const std::vector<Counted>& places, double usual = 0);

/// The whole that a quantity sums to: `timed` as it was, and the rate over the places for each of the `rest` instructions.
/// `of` gives the quantity of a window. The interval holds what places differ by; of one place alone, what its rate and
/// that of head and place together differ by. `usual` as above.
Interval extended(const TimedPart& part, std::uint64_t rest, double timed,
                  const std::function<double(const TimedWindow&)>& of, double usual = 0);

/// Counters of the whole, rounded.
std::vector<std::uint64_t> extended_counters(const TimedPart& part, std::uint64_t rest);

}  // namespace heddle::run
