#include "testbench/run/estimate_figures.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle::run {
namespace {

// Of Student's distribution, two-sided 90 %, by degrees of freedom from 1.
double student_90(std::size_t freedom) {
  constexpr std::array kTable = {6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812,
                                 1.796, 1.782, 1.771, 1.761, 1.753, 1.746, 1.740, 1.734, 1.729, 1.725};
  if (freedom == 0) return kTable[0];
  if (freedom <= kTable.size()) return kTable[freedom - 1];
  return 1.645 + 1.6 / static_cast<double>(freedom);
}

std::vector<const TimedWindow*> by_stratum(const std::vector<TimedWindow>& windows) {
  std::vector<const TimedWindow*> order;
  for (const TimedWindow& window : windows)
    if (window.issued) order.push_back(&window);
  std::sort(order.begin(), order.end(),
            [](const TimedWindow* a, const TimedWindow* b) { return a->position < b->position; });
  return order;
}

}  // namespace

Mean stratified_mean(const std::vector<double>& values) {
  Mean mean;
  const auto count = static_cast<double>(values.size());
  if (values.empty()) return mean;
  for (const double value : values) mean.value += value / count;
  if (values.size() == 1) return mean;
  double squares = 0;
  for (std::size_t i = 1; i < values.size(); ++i)
    squares += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
  const double variance = squares / (2 * (count - 1));
  mean.half_width = student_90(values.size() - 1) * std::sqrt(variance / count);
  return mean;
}

Interval extended(const TimedPart& part, std::uint64_t rest, double timed,
                  const std::function<double(const TimedWindow&)>& of) {
  std::vector<double> rates;
  for (const TimedWindow* window : by_stratum(part.windows))
    rates.push_back(of(*window) / static_cast<double>(window->issued));
  const Mean mean = stratified_mean(rates);
  const auto count = static_cast<double>(rest);
  const double value = timed + count * mean.value, half = count * mean.half_width;
  return {value, std::max(timed, value - half), value + half};
}

std::vector<std::uint64_t> extended_counters(const TimedPart& part, std::uint64_t rest) {
  std::vector<std::uint64_t> counters = part.counters;
  const auto windows = by_stratum(part.windows);
  if (windows.empty()) return counters;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    double rate = 0;
    for (const TimedWindow* window : windows)
      rate += static_cast<double>(window->counters[i]) / static_cast<double>(window->issued);
    const double more = static_cast<double>(rest) * rate / static_cast<double>(windows.size());
    counters[i] += static_cast<std::uint64_t>(std::llround(more));
  }
  return counters;
}

}  // namespace heddle::run
