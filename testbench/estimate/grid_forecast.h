#pragma once

// Forecasts the rates (cycles or other quantities per warp-instruction) of the untimed CTAs of a grid that is
// timed one window after the other, from its first CTA on. The timed windows are a time series whose rates
// change: CTAs that began together drift apart, caches fill, and later CTAs may have other data.
//
// The true rate of the untimed rest of the grid is assumed to lie between two cases: the rate stays at the
// mean of the windows, or the rate continues on the regression line through the windows. The interval spans
// both cases, plus the prediction interval of the line (Student's distribution; the degrees of freedom are
// the number of windows minus two). Therefore a few windows are enough to forecast a few waves, and many
// waves need many windows. As in MSER (White 1997), the forecast leaves out some of the first windows, at
// most half of all, if this narrows the interval: the first windows show how the machine fills.

#include <optional>
#include <vector>

#include "testbench/estimate/rate.h"

namespace heddle::estimate {

/// One window of timed CTAs, and its rate. `at`: centre of the window in the grid, in units of the length of
/// a window.
struct PlacedWindow {
  double at = 0, rate = 0;
};
/// The untimed CTAs. `at`: their centre in the grid; `windows`: their number. Both are in units of a window's
/// length.
struct UntimedRest {
  double at = 0, windows = 0;
};

/// Returns the mean rate of the untimed CTAs `rest`, with half of its 90 % confidence interval. Returns
/// nothing for fewer than three windows, because their deviation from a line cannot be computed. `windows`
/// are sorted by position and precede `rest`. `end`: rate of a window after `rest`, if one was timed. The
/// mean rate of `rest` is then assumed to lie between the rate that `windows` alone forecast and `end`.
std::optional<Rate> forecast(const std::vector<PlacedWindow>& windows, const UntimedRest& rest,
                             std::optional<double> end);

}  // namespace heddle::estimate
