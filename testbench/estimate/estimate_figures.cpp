#include "testbench/estimate/estimate_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "testbench/estimate/cta_places.h"
#include "testbench/estimate/grid_forecast.h"

namespace heddle::estimate {
namespace {

std::vector<const TimedWindow*> by_stratum(const std::vector<TimedWindow>& windows) {
  std::vector<const TimedWindow*> order;
  for (const TimedWindow& window : windows)
    if (window.issued) order.push_back(&window);
  std::stable_sort(order.begin(), order.end(),
                   [](const TimedWindow* a, const TimedWindow* b) { return a->position < b->position; });
  return order;
}

double rate_of(const TimedWindow& window, const std::function<double(const TimedWindow&)>& of) {
  return of(window) / static_cast<double>(window.issued);
}

Rate rate_in_order(const TimedPart& part, const std::function<double(const TimedWindow&)>& of) {
  const auto windows = by_stratum(part.windows);
  if (windows.empty()) return {0, std::numeric_limits<double>::infinity()};
  const auto length = static_cast<double>(windows.front()->ctas);
  const auto centre = [length](std::uint64_t first, std::uint64_t count) {
    return (static_cast<double>(first) + static_cast<double>(count) / 2) / length;
  };
  std::vector<PlacedWindow> before;
  std::optional<double> end;
  for (const TimedWindow* window : windows)
    if (window->first_cta >= part.rest->first)
      end = rate_of(*window, of);
    else
      before.push_back({centre(window->first_cta, window->ctas), rate_of(*window, of)});
  const UntimedRest rest{centre(part.rest->first, part.rest->count),
                         static_cast<double>(part.rest->count) / length};
  return forecast(before, rest, end)
      .value_or(Rate{rate_of(*windows.back(), of), std::numeric_limits<double>::infinity()});
}

// Fits a line for the rate (such as cycles per instruction) as a function of the memory segments per
// instruction. Each place (position of the grid) gives one point: its last window. Earlier windows are not
// used, because the machine needs several waves to settle after a jump to another place. A second line goes
// through the next-to-last windows. The distance between both lines shows how far the machine still is from a
// steady state, and widens the confidence interval.
std::optional<Rate> rate_by_segments(const TimedPart& part,
                                     const std::function<double(const TimedWindow&)>& of) {
  std::vector<PlacedWindow> last, before;
  std::uint64_t end = 0;  // end of the preceding window
  for (const TimedWindow& window : part.windows) {
    if (!window.issued) continue;
    const PlacedWindow placed{window.segments, rate_of(window, of)};
    if (last.empty() || window.first_cta != end) {
      last.push_back(placed);
      before.push_back(placed);
    } else {
      before.back() = std::exchange(last.back(), placed);
    }
    end = window.first_cta + window.ctas;
  }
  std::optional<Rate> rate = regression(last, *part.rest_segments);
  const std::optional<Rate> earlier = regression(before, *part.rest_segments);
  if (rate && earlier) rate->half_width = std::hypot(rate->half_width, rate->value - earlier->value);
  return rate;
}

// Returns the rate (a quantity such as cycles, per instruction) of the windows at the grid's beginning, minus
// `mean`, the mean rate of all other windows. Returns 0 if the rate of the beginning is inside the range of
// the other windows' rates, or outside by at most the width of this range: such a difference may be a normal
// change along the grid. Leaves out the first half of the beginning's windows, in which CTAs fill the
// machine.
double excess_of_beginning(const TimedPart& part, double mean,
                           const std::function<double(const TimedWindow&)>& of) {
  Counted sum;
  for (std::size_t i = part.beginning.size() / 2; i < part.beginning.size(); ++i) {
    sum.quantity += of(part.beginning[i]);
    sum.instructions += static_cast<double>(part.beginning[i].issued);
  }
  if (part.beginning.size() < CtaPlaces::kLeastOfBeginning || sum.instructions == 0) return 0;
  const double rate = sum.quantity / sum.instructions;
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const TimedWindow& window : part.windows) {
    if (window.issued == 0) continue;
    low = std::min(low, rate_of(window, of));
    high = std::max(high, rate_of(window, of));
  }
  const double outside = std::max({0.0, low - rate, rate - high});
  return outside <= high - low ? 0 : rate - mean;
}

}  // namespace

Rate stratified_rate(const std::vector<Counted>& places, double usual) {
  Counted sum;
  for (const Counted& place : places) {
    sum.quantity += place.quantity;
    sum.instructions += place.instructions;
  }
  if (sum.instructions == 0) return {};
  Rate rate{sum.quantity / sum.instructions, 0};
  if (places.size() < 2) return rate;
  const auto count = static_cast<double>(places.size());
  const auto residual = [&](const Counted& place) {
    return place.quantity - rate.value * place.instructions;
  };
  double squares = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    const double difference = residual(places[i]) - residual(places[i - 1]);
    squares += difference * difference;
  }
  const std::size_t known = usual > 0 ? kUsualFreedom : 0, freedom = places.size() - 1 + known;
  const double mean = sum.instructions / count, others = usual * rate.value * mean;
  const double variance =
      (static_cast<double>(known) * others * others + squares / 2) / static_cast<double>(freedom);
  rate.half_width = student_90(freedom) * std::sqrt(variance / count) / mean;
  return rate;
}

Interval extended(const TimedPart& part, std::uint64_t rest, double timed,
                  const std::function<double(const TimedWindow&)>& of, double usual) {
  const auto count = static_cast<double>(rest);
  if (part.rest) {
    const Rate rate = rate_in_order(part, of);
    const double value = timed + count * rate.value, half = rest ? count * rate.half_width : 0;
    return {value, std::max(timed, value - half), value + half};
  }
  if (const auto rate = part.rest_segments ? rate_by_segments(part, of) : std::nullopt) {
    const double value = timed + count * rate->value, half = count * rate->half_width;
    return {value, std::max(timed, value - half), value + half};
  }
  std::vector<Counted> places;
  for (const TimedWindow* window : by_stratum(part.windows))
    places.push_back({of(*window), static_cast<double>(window->issued)});
  Rate rate = stratified_rate(places, usual);
  const double in_step = excess_of_beginning(part, rate.value, of) / 2;
  rate = {rate.value + in_step, rate.half_width + std::abs(in_step)};
  places.push_back({of(part.head), static_cast<double>(part.head.issued)});
  const bool alone = part.windows.size() == 1 && part.head.issued && !part.head_apart;
  const double unsettled = alone ? stratified_rate(places).value - rate.value : 0;
  const double value = timed + count * rate.value, half = count * std::hypot(rate.half_width, unsettled);
  return {value, std::max(timed, value - half), value + half};
}

std::vector<std::uint64_t> extended_counters(const TimedPart& part, std::uint64_t rest) {
  std::vector<std::uint64_t> counters = part.counters;
  const auto windows = by_stratum(part.windows);
  if (windows.empty()) return counters;
  std::uint64_t issued = 0;
  for (const TimedWindow* window : windows) issued += window->issued;
  const double times = static_cast<double>(rest) / static_cast<double>(issued);
  for (std::size_t i = 0; i < counters.size(); ++i) {
    std::uint64_t sum = 0;
    for (const TimedWindow* window : windows) sum += window->counters[i];
    counters[i] += static_cast<std::uint64_t>(std::llround(times * static_cast<double>(sum)));
  }
  return counters;
}

}  // namespace heddle::estimate
