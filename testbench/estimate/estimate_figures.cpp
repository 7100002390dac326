#include "testbench/estimate/estimate_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "testbench/estimate/cta_places.h"
#include "testbench/estimate/gap_rates.h"
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

double instructions_of(const std::vector<UntimedGap>& gaps) {
  return std::accumulate(gaps.begin(), gaps.end(), 0.0,
                         [](double sum, const UntimedGap& gap) { return sum + gap.instructions; });
}

// Returns the estimate of a quantity in the gaps of a grid that is timed in stretches. `rest`: instructions of
// all gaps, including instructions that the hardware inserts at run time.
GapsEstimate over_gaps(const TimedPart& part, double rest,
                       const std::function<double(const TimedWindow&)>& of, double usual) {
  std::vector<StretchWindow> windows;
  std::vector<std::uint64_t> firsts;  // first measured CTA of each stretch
  std::uint64_t end = 0;              // end of the preceding window
  for (const TimedWindow* window : by_stratum(part.windows)) {
    if (firsts.empty() || window->first_cta != end) firsts.push_back(window->first_cta);
    windows.push_back({firsts.size() - 1, window->segments, rate_of(*window, of)});
    end = window->first_cta + window->ctas;
  }
  const double instructions = instructions_of(part.gaps);
  const double inserted = instructions > 0 ? rest / instructions : 0;
  std::vector<GapCtas> gaps;
  for (const UntimedGap& gap : part.gaps) {
    const auto after = std::upper_bound(firsts.begin(), firsts.end(), gap.ctas.first);
    const auto before = std::max<std::ptrdiff_t>(1, after - firsts.begin());
    gaps.push_back({static_cast<std::size_t>(before - 1), gap.instructions * inserted, gap.segments});
  }
  return across_gaps(windows, gaps, usual);
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
  if (!part.gaps.empty()) {
    const GapsEstimate gaps = over_gaps(part, count, of, usual);
    const double value = timed + gaps.quantity;
    return {value, std::max(timed, value - gaps.half_width), value + gaps.half_width};
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

std::vector<double> doubts_of_gaps(const TimedPart& part, const std::function<double(const TimedWindow&)>& of,
                                   double usual) {
  return over_gaps(part, instructions_of(part.gaps), of, usual).doubts;
}

std::vector<std::uint64_t> extended_counters(const TimedPart& part, std::uint64_t rest) {
  std::vector<std::uint64_t> counters = part.counters;
  const auto windows = by_stratum(part.windows);
  if (windows.empty()) return counters;
  double issued = 0;
  for (const TimedWindow* window : windows) issued += static_cast<double>(window->issued);
  std::vector<double> times(windows.size(), static_cast<double>(rest) / issued);
  if (!part.gaps.empty()) {
    const auto none = [](const TimedWindow&) { return 0.0; };
    times = over_gaps(part, static_cast<double>(rest), none, 0).weights;
    for (std::size_t w = 0; w < windows.size(); ++w) times[w] /= static_cast<double>(windows[w]->issued);
  }
  for (std::size_t i = 0; i < counters.size(); ++i) {
    double sum = 0;
    for (std::size_t w = 0; w < windows.size(); ++w)
      sum += times[w] * static_cast<double>(windows[w]->counters[i]);
    counters[i] += static_cast<std::uint64_t>(std::llround(std::max(0.0, sum)));
  }
  return counters;
}

}  // namespace heddle::estimate
