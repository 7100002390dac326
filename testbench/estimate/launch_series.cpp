#include "testbench/estimate/launch_series.h"

#include <algorithm>
#include <cmath>

namespace heddle::estimate {
namespace {

// Launches whose sizes (warp-instructions) differ by at most this share count as equally large.
constexpr double kOneSize = 0.02;
// A launch may be left untimed only if its size is at least 1/kReach and at most kReach times that of the
// last timed launch, and if the global accesses per instruction of both differ by at most the share
// kAlikeShare (assumed).
constexpr double kReach = 2, kAlikeShare = 0.25;
// kLargestGap: largest distance between two timed launches (gap), in launches. A gap grows by the factor
// kGrowth if the last two timed launches took equally long per instruction. A gap grows by the factor
// kGrowthOnALine if a line through earlier timed launches predicted the last one. This factor is smaller
// because a trend may end: jacobi's launches get shorter and then stay constant.
constexpr std::uint64_t kLargestGap = 256, kGrowth = 4, kGrowthOnALine = 2;
// Largest gaps with estimate.paired_share. With it, runs with and without a technique time the same launches,
// so gaps must not depend on measurements. kLargestGapOfWhole is for launches of a few waves, which are timed
// completely: the gap is larger because each timed launch takes longer (assumed).
constexpr std::uint64_t kLargestGapOfPairs = 2, kLargestGapOfWhole = 16;

bool one_size(double a, double b) { return std::abs(a - b) <= kOneSize * std::max(a, b); }

double half_of(const Interval& interval) { return (interval.high - interval.low) / 2; }

Interval around(double value, double half) { return {value, value - half, value + half}; }

}  // namespace

LaunchSeries::Size LaunchSeries::size_of(std::uint32_t index, const UntimedCounts& counts) {
  return {index, static_cast<double>(counts.result.warp_instructions),
          static_cast<double>(counts.result.global_segments)};
}

bool LaunchSeries::is_timed(const Size& size, double cycles_so_far) const {
  if (launches_timed_ < static_cast<std::uint64_t>(parameters_->launches)) return true;
  if (pending_.size() + 1 >= gap_) return true;
  const Size& last = last_->size;
  if (parameters_->paired_share > 0 && !one_size(size.instructions, last.instructions)) return true;
  if (doubt_ + doubt(size) > parameters_->error_percent / 100 * cycles_so_far) return true;
  if (std::max(size.instructions, last.instructions) >
      kReach * std::min(size.instructions, last.instructions))
    return true;
  const double one = size.segments * last.instructions, other = last.segments * size.instructions;
  return std::abs(one - other) > kAlikeShare * std::max(one, other);
}

// Returns the cycles of an untimed launch, assuming that cycles do not grow in proportion to instructions:
// memory or the longest CTA may determine how long a launch takes. `a`, `b`: the timed launches before and
// after the untimed launch; the same launch if none has been timed after it. In this case, if `a` and the
// timed launch before `a` differ in size, returns `cycles`, moved along the line through both (cycles over
// instructions) from the size of `a` to `instructions`. Otherwise returns `cycles`.
double LaunchSeries::cycles_by_size(double instructions, double cycles, const Timed& a,
                                    const Timed& b) const {
  if (a.size.index != b.size.index || !before_) return cycles;
  const double from = before_->size.instructions, to = a.size.instructions;
  if (one_size(from, to)) return cycles;
  const double slope = (a.estimate.cycles.value - before_->estimate.cycles.value) / (to - from);
  return std::max(0.0, cycles + slope * (instructions - to));
}

// Returns the possible error, in cycles, of the estimate of the next launch because this launch is larger or
// smaller than the last timed one. It is half of the distance between two predictions: the last launch's
// cycles scaled by instructions, and cycles_by_size(). Returns 0 with estimate.paired_share: compared runs
// must time the same launches, independent of their cycles.
double LaunchSeries::doubt(const Size& size) const {
  if (parameters_->paired_share > 0) return 0;
  const double cycles = last_->estimate.cycles.value,
               scaled = cycles * size.instructions / last_->size.instructions;
  return std::abs(scaled - cycles_by_size(size.instructions, cycles, *last_, *last_)) / 2;
}

// Returns the range of three predictions of the next launch's cycles. The first prediction scales the last
// launch's cycles by instructions. The second continues the line through the last two launches: over size or,
// if sizes are equal, over position in the run. The third, for a launch of another size, is cycles_by_size().
std::optional<LaunchSeries::Expected> LaunchSeries::expected(const Size& size) const {
  if (!last_) return std::nullopt;
  const Size& last = last_->size;
  const double each = last_->estimate.cycles.value / last.instructions;
  const double steady = each * size.instructions;
  double line = steady;
  if (before_) {
    const Size& first = before_->size;
    const double cycles_before = before_->estimate.cycles.value;
    if (one_size(first.instructions, last.instructions))
      line = steady + (each - cycles_before / first.instructions) * size.instructions *
                          (size.index - last.index) / (last.index - first.index);
    else
      line = last_->estimate.cycles.value + (last_->estimate.cycles.value - cycles_before) *
                                                (size.instructions - last.instructions) /
                                                (last.instructions - first.instructions);
  }
  const bool same_size = parameters_->paired_share > 0 || one_size(size.instructions, last.instructions);
  const double by_size =
      same_size ? steady : cycles_by_size(size.instructions, last_->estimate.cycles.value, *last_, *last_);
  return Expected{std::min({steady, line, by_size}), std::max({steady, line, by_size}),
                  one_size(size.instructions, last.instructions) && one_size(size.segments, last.segments)};
}

std::vector<LaunchEstimate> LaunchSeries::add_timed(const Size& size, LaunchEstimate estimate,
                                                    double cycles_so_far) {
  estimate.windows.clear();
  if (const auto by = expected(size)) {
    const double cycles = estimate.cycles.value, wrong = std::max({0.0, by->low - cycles, cycles - by->high});
    miss_ = wrong / cycles;
    const double permitted = parameters_->error_percent / 100 * (cycles_so_far + cycles),
                 moved = std::abs(cycles - last_->estimate.cycles.value * size.instructions /
                                               last_->size.instructions),
                 gap = static_cast<double>(gap_);
    if (parameters_->paired_share > 0)
      gap_ = std::min(2 * gap_, estimate.whole ? kLargestGapOfWhole : kLargestGapOfPairs);
    else if (kGrowth * gap * moved <= permitted)
      gap_ = std::min(kGrowth * gap_, kLargestGap);
    else if (kGrowthOnALine * gap * wrong <= permitted)
      gap_ = std::min(kGrowthOnALine * gap_, kLargestGap);
    else
      gap_ = std::max<std::uint64_t>(1, gap_ / 2);
  }
  ++launches_timed_;
  before_ = std::move(last_);
  last_ = Timed{size, std::move(estimate)};
  std::vector<LaunchEstimate> resolved;
  for (const Pending& one : pending_) resolved.push_back(between(one, *before_, *last_, miss_));
  pending_.clear();
  doubt_ = 0;
  return resolved;
}

LaunchEstimate LaunchSeries::add_untimed(const Size& size, const UntimedCounts& counts) {
  doubt_ += doubt(size);
  Pending& added = pending_.emplace_back(Pending{size, {}});
  added.counts.counters = counts.counters;
  return between(added, *last_, *last_, miss_);
}

std::vector<LaunchEstimate> LaunchSeries::end() {
  std::vector<LaunchEstimate> resolved;
  for (const Pending& one : pending_) resolved.push_back(between(one, *last_, *last_, miss_));
  pending_.clear();
  return resolved;
}

// Interpolates an untimed launch between two timed launches: by size or, if both sizes are equal, by position
// in the run. If the size of the untimed launch lies outside of both sizes, there are two predictions: cycles
// in proportion to instructions, and cycles_by_size(). The estimate is their middle, and the interval spans
// both.
LaunchEstimate LaunchSeries::between(const Pending& one, const Timed& a, const Timed& b, double miss) const {
  const double from = a.size.instructions, to = b.size.instructions;
  double share = 0;
  if (!one_size(from, to))
    share = std::clamp((one.size.instructions - from) / (to - from), 0.0, 1.0);
  else if (b.size.index != a.size.index)
    share =
        static_cast<double>(one.size.index - a.size.index) / static_cast<double>(b.size.index - a.size.index);
  const double scale = one.size.instructions / ((1 - share) * from + share * to);
  const auto mixed = [&](double first, double second) {
    return scale * ((1 - share) * first + share * second);
  };
  const auto count = [&](std::uint64_t first, std::uint64_t second) {
    return static_cast<std::uint64_t>(
        std::llround(mixed(static_cast<double>(first), static_cast<double>(second))));
  };
  const LaunchEstimate &ea = a.estimate, &eb = b.estimate;
  // If both launches were timed completely, their intervals do not include the error for effects that no
  // timed CTA shows (parameter unsampled_percent). Add it here.
  const double unsampled = ea.whole && eb.whole ? parameters_->unsampled_percent / 100 : 0;
  const auto interval = [&](const Interval& first, const Interval& second) {
    const double value = mixed(first.value, second.value);
    return around(value, std::hypot(mixed(half_of(first), half_of(second)), unsampled * value, miss * value));
  };
  const double scaled = mixed(ea.cycles.value, eb.cycles.value),
               other = parameters_->paired_share > 0
                           ? scaled
                           : cycles_by_size(one.size.instructions, scaled / scale, a, b),
               further = (other - scaled) / 2;
  const auto spanning = [further](const Interval& by_instructions, double of_a_cycle) {
    if (further == 0) return by_instructions;
    const double by = further * of_a_cycle;
    return around(by_instructions.value + by, half_of(by_instructions) + std::abs(by));
  };
  LaunchEstimate e;
  e.launch = one.size.index;
  e.like = a.size.index;
  e.waves = ea.waves;
  e.exact_counts = ea.exact_counts && eb.exact_counts;
  e.order_dependent = ea.order_dependent || eb.order_dependent;
  e.instructions = count(ea.instructions, eb.instructions);
  e.instructions_low = count(ea.instructions_low, eb.instructions_low);
  e.instructions_high = count(ea.instructions_high, eb.instructions_high);
  e.cycles = to_whole(spanning(interval(ea.cycles, eb.cycles), 1));
  if (ea.dynamic_nj && eb.dynamic_nj) e.dynamic_nj = interval(*ea.dynamic_nj, *eb.dynamic_nj);
  if (ea.energy_nj && eb.energy_nj) {
    e.energy_nj = interval(*ea.energy_nj, *eb.energy_nj);
    const double dynamic = e.dynamic_nj ? e.dynamic_nj->value : 0;
    // The rest of the energy, such as leakage, is in proportion to the cycles.
    if (scaled > 0) e.energy_nj = spanning(*e.energy_nj, (e.energy_nj->value - dynamic) / scaled);
  }
  e.counters.resize(ea.counters.size());
  for (std::size_t i = 0; i < e.counters.size(); ++i) e.counters[i] = count(ea.counters[i], eb.counters[i]);
  if (e.exact_counts) {
    e.instructions = static_cast<std::uint64_t>(one.size.instructions);
    if (!e.order_dependent) e.instructions_low = e.instructions_high = e.instructions;
    put_exact(one.counts, *stats_, e.counters);
  }
  return e;
}

}  // namespace heddle::estimate
