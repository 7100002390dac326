#include "testbench/estimate/launch_estimate.h"

#include <algorithm>
#include <cmath>

namespace heddle::estimate {

void EstimateTotals::add(std::vector<Sum>& sums, std::size_t cluster, const Interval& interval) const {
  if (sums.size() <= cluster) sums.resize(cluster + 1);
  const double half = (interval.high - interval.low) / 2,
               unsampled = std::min(half, unsampled_ * interval.value);
  sums[cluster].value += interval.value;
  sums[cluster].half += std::sqrt(half * half - unsampled * unsampled);
  sums[cluster].unsampled += unsampled;
}

Interval EstimateTotals::interval(const std::vector<Sum>& sums) {
  double value = 0, squares = 0, unsampled = 0;
  for (const Sum& sum : sums) {
    value += sum.value;
    squares += sum.half * sum.half;
    unsampled += sum.unsampled;
  }
  const double half = std::hypot(std::sqrt(squares), unsampled);
  return {value, value - half, value + half};
}

Interval to_whole(const Interval& interval) {
  const double by = std::round(interval.value) - interval.value;
  return {interval.value + by, interval.low + by, interval.high + by};
}

bool EstimateTotals::known_within(double share, std::size_t cluster, const Interval& more) const {
  double value = more.value, squares = 0, own = (more.high - more.low) / 2;
  for (std::size_t i = 0; i < cycles_.size(); ++i) {
    value += cycles_[i].value;
    if (i == cluster)
      own += cycles_[i].half;
    else
      squares += cycles_[i].half * cycles_[i].half;
  }
  return std::sqrt(squares + own * own) <= share * value;
}

void EstimateTotals::add(const LaunchEstimate& estimate, std::size_t cluster) {
  ++launches_;
  whole_ = whole_ && estimate.whole;
  exact_ = exact_ && estimate.exact_counts;
  energy_ = energy_ && estimate.energy_nj;
  order_dependent_ = order_dependent_ || estimate.order_dependent;
  instructions_ += estimate.instructions;
  low_ += estimate.instructions_low;
  high_ += estimate.instructions_high;
  timed_ += estimate.instructions_timed;
  waves_ += estimate.waves;
  add(cycles_, cluster, estimate.cycles);
  if (energy_) {
    add(energies_, cluster, *estimate.energy_nj);
    add(dynamics_, cluster, *estimate.dynamic_nj);
  }
  counters_.resize(estimate.counters.size());
  for (std::size_t i = 0; i < counters_.size(); ++i) counters_[i] += estimate.counters[i];
}

LaunchEstimate EstimateTotals::total() const {
  LaunchEstimate total;
  total.whole = whole_;
  total.exact_counts = exact_;
  total.instructions = instructions_;
  total.instructions_low = low_;
  total.instructions_high = high_;
  total.order_dependent = order_dependent_;
  total.instructions_timed = timed_;
  total.waves = waves_;
  total.cycles = interval(cycles_);
  if (energy_) {
    total.energy_nj = interval(energies_);
    total.dynamic_nj = interval(dynamics_);
  }
  total.counters = counters_;
  return total;
}

}  // namespace heddle::estimate
