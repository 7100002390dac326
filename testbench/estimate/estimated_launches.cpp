#include "testbench/estimate/estimated_launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/ptx/kernel_name.h"
#include "power/energy_units.h"
#include "testbench/estimate/place_by_place.h"

namespace heddle::estimate {
namespace {

using power::kPicojoulesOfNanojoule;

// Usual relative deviation of cycles per instruction between the CTA windows of a launch. The median over 33
// kernels is 5.1 %: all kernels of testbench/kernels with at least 40 waves, timed completely on one SM of
// fermi-gtx480.
constexpr double kUsualDeviation = 0.05;

// Relative error in cycles of a launch that is timed completely but begins with estimated L2 contents.
// Measured: at most 0.3 % for nine combinations of techniques on box_particles.
constexpr double kEstimatedCache = 0.01;

// If half of the confidence interval is more than this many times the permitted error, timing continues
// beyond the limits of an estimate's cost.
constexpr double kWidest = 5;

Interval wider(const Interval& interval, double share) {
  const double half = std::hypot((interval.high - interval.low) / 2, share * interval.value);
  return {interval.value, interval.value - half, interval.value + half};
}

double cycles_in(const TimedWindow& window) { return static_cast<double>(window.cycles); }

Interval cycles_of(const TimedPart& part, std::uint64_t rest, double timed) {
  return extended(part, rest, timed, cycles_in, kUsualDeviation);
}

// Stop timing when the timed share of the launch's CTAs reaches this number divided by the permitted error in
// percent: 0.75 / 3 = 25 % at the default error of 3 %. If the interval is still very wide (is_narrow),
// timing continues.
constexpr double kMostOfPlaces = 0.75;

double handed_out(const std::vector<DispatchRange>& ranges) {
  return std::accumulate(ranges.begin(), ranges.end(), 0.0, [](double sum, const DispatchRange& r) {
    return sum + static_cast<double>(r.count);
  });
}

// Adds the counts in `more` to `all`, the counts that the estimate subtracts from the counts of the launch.
// `more`: counts after the last window of the grid's beginning, when the SMs drain for the second time; no
// counts if the beginning was not timed.
void leave_out(const TimedWindow& more, TimedWindow& all) {
  all.cycles += more.cycles;
  all.issued += more.issued;
  for (std::size_t i = 0; i < more.counters.size(); ++i) all.counters[i] += more.counters[i];
}

// Returns the gaps of a grid that is timed in stretches; nothing for other grids.
std::vector<UntimedGap> gaps_of(CtaPlaces& places) {
  std::vector<UntimedGap> gaps;
  if (!places.stretches()) return gaps;
  for (const DispatchRange& gap : places.stretches()->gaps())
    if (gap.count) gaps.push_back({gap, static_cast<double>(places.instructions(gap)), places.segments(gap)});
  return gaps;
}

// Tolerance of represents(): a window of timed CTAs counts as at least as long as the grid's mean CTA if its
// CTAs are shorter by at most this share. It counts as at most as long if its CTAs are longer by at most this
// share.
constexpr double kAlike = 0.1;

// Returns true if at least one window has CTAs as long as the grid's mean or longer, and at least one window
// has CTAs as long as the mean or shorter. If all windows had short CTAs, their rates could agree with each
// other and still differ from the rates of long CTAs.
bool represents(const CtaPlaces& places, const std::vector<TimedWindow>& windows) {
  if (places.tail().count == 0) return true;
  const double mean =
      static_cast<double>(places.instructions({0, places.ctas()})) / static_cast<double>(places.ctas());
  const auto any = [&](auto fits) {
    return std::any_of(windows.begin(), windows.end(), [&](const TimedWindow& window) {
      return fits(static_cast<double>(window.issued) / static_cast<double>(window.ctas) / mean);
    });
  };
  return any([](double share) { return share >= 1 - kAlike; }) &&
         any([](double share) { return share <= 1 + kAlike; });
}

}  // namespace

LaunchSeries& EstimatedLaunches::series_of(const isa::KernelLaunch& launch, std::size_t& number) {
  const auto known = std::find_if(series_.begin(), series_.end(), [&](const Series& series) {
    return series.kernel == launch.program->kernel && series.block == launch.block;
  });
  number = static_cast<std::size_t>(known - series_.begin());
  if (known != series_.end()) return known->launches;
  series_.push_back({launch.program->kernel, launch.block, LaunchSeries(around_.parameters, around_.stats)});
  return series_.back().launches;
}

void EstimatedLaunches::add(std::size_t number, const std::vector<LaunchEstimate>& estimates) {
  for (const LaunchEstimate& estimate : estimates) {
    totals_.add(estimate, number);
    paired_.add_like(estimate);
    if (around_.refined) around_.refined(estimate);
  }
}

EstimatedLaunches::Outcome EstimatedLaunches::launch(const isa::KernelLaunch& launch, MemoryImage& memory,
                                                     const std::function<void()>& begins) {
  Outcome outcome;
  outcome.estimate.launch = launch.id.value;
  after_ = memory;
  const UntimedExecution untimed =
      around_.store.execute(launch, after_, around_.reference_options(), around_.gpu.memory().held_lines());
  const UntimedCounts& counts = untimed.counts;
  const OrderDependence order = dependence_of(launch);
  const MemoryImage before = order == OrderDependence::counts ? memory : MemoryImage{};
  std::size_t number = 0;
  LaunchSeries& series = series_of(launch, number);
  const LaunchSeries::Size size = LaunchSeries::size_of(launch.id.value, counts);
  const bool whole = order == OrderDependence::waits || launch.reads;
  outcome.timed = series.is_timed(size, totals_.cycles()) || whole;
  if (outcome.timed) {
    begins();
    const auto parsed = around_.parsed(launch.program->kernel);
    MemoryImage expected = around_.compares ? memory : MemoryImage{};
    run_timed(launch, untimed, whole, memory, {number, series.expected(size)}, outcome);
    if (outcome.run.interrupted) return outcome;
    if (around_.compares)
      around_.words.compare(launch, parsed, around_.reference_options(), expected, memory);
    if (order == OrderDependence::counts && !outcome.estimate.whole)
      widen_counts(launch, before, counts, outcome.estimate);
    add(number, series.add_timed(size, outcome.estimate, totals_.cycles()));
    totals_.add(outcome.estimate, number);
    paired_.add(launch.id.value, outcome.estimate);
  } else {
    outcome.estimate = series.add_untimed(size, counts);
  }
  if (!launch.reads) std::swap(memory, after_);
  leave(untimed.lines, outcome.estimate);
  return outcome;
}

void EstimatedLaunches::run_timed(const isa::KernelLaunch& launch, const UntimedExecution& untimed,
                                  bool whole, const MemoryImage& memory, const Before& before_it,
                                  Outcome& outcome) {
  const UntimedCounts& counts = untimed.counts;
  Gpu& gpu = around_.gpu;
  const auto wave = static_cast<std::uint64_t>(gpu.dispatcher().ctas_per_sm(launch)) *
                    static_cast<std::uint64_t>(gpu.parameters().sms);
  // If the kernel accesses local memory, do not use the untimed counts of segments: they leave out segments
  // of local memory, which the SMs' counters include.
  CtaPlaces places(counts.by_cta, wave, gpu.parameters().sms, around_.parameters,
                   counts.result.local_accesses ? std::vector<std::uint32_t>{} : counts.segments_by_cta);
  outcome.estimate.waves = (launch.grid.count() + wave - 1) / wave;
  const std::vector<std::uint64_t> start = around_.stats.snapshot();
  TimedPart part;
  part.head_apart = places.ramps();
  if (!whole && !places.times_whole() && gpu.memory().held_lines()) scratch_ = memory;
  whole = whole || places.times_whole();
  const double most = kMostOfPlaces / around_.parameters.error_percent;
  // At a record of lines, the CTAs that were resident in the untimed execution had not ended, and short CTAs
  // among them had not begun to access memory. If waves access memory differently often, these CTAs are
  // executed again. Otherwise they had accessed a part of their lines, as at the same time in the whole launch.
  const auto resident = static_cast<std::uint64_t>(around_.reference_options().resident_ctas);
  const std::uint64_t unfinished = places.stretches() ? resident : 0;
  PlaceByPlace by_place(
      places, wave, gpu, around_.stats,
      [&] {
        part.windows = by_place.windows();
        part.head = by_place.head();
        part.beginning = by_place.beginning();
        if (places.stretches()) return ends_in_stretches(places, part, by_place.elapsed(), before_it);
        if (places.in_order()) return ends_in_order(places, part, outcome.estimate.waves, before_it);
        if (part.windows.size() < places.least()) return false;
        const Interval cycles = cycles_of(part, counts.result.warp_instructions, 0);
        return (handed_out(by_place.ranges()) > most * static_cast<double>(places.ctas()) &&
                is_narrow(cycles)) ||
               (represents(places, part.windows) && is_good(cycles, before_it));
      },
      [&](const CtaPlaces::Place& place, bool again) {
        warm_before(launch, untimed.lines, unfinished, place, again);
      });
  if ((whole || places.in_order()) && has_estimated_cache()) gpu.memory().hold(left_);
  if (whole) {
    outcome.run = gpu.run(launch);
    around_.words.timed({{0, launch.grid.count()}});
  } else {
    if (!places.in_order()) warm_before(launch, untimed.lines, unfinished, {places.head(), {}, 0}, false);
    outcome.run = gpu.run(launch, by_place.first(), [&](Cycle cycle) { return by_place.next(cycle); });
    around_.words.timed(by_place.ranges());
  }
  outcome.ctas_timed = outcome.run.ctas;
  outcome.counters = difference(around_.stats.snapshot(), start);
  if (!whole && places.in_order()) {
    part.rest = places.rest();
    whole = part.rest->count == 0 && !places.at_end();
  }
  part.gaps = gaps_of(places);
  part.windows = whole ? std::vector<TimedWindow>{} : std::move(by_place.windows());
  part.head = by_place.head();
  part.beginning = by_place.beginning();
  leave_out(by_place.after_beginning(outcome.run.begin + outcome.run.cycles), part.head);
  part.cycles = outcome.run.cycles;
  part.counters = outcome.counters;
  for (const std::size_t i : issue_counters(around_.stats, "issued")) part.issued += part.counters[i];
  if (part.head_apart && !whole) {
    part.cycles -= part.head.cycles;
    part.counters = difference(std::move(part.counters), part.head.counters);
  }
  std::uint64_t timed = 0;
  if (whole)
    timed = counts.result.warp_instructions;
  else
    for (const DispatchRange& range : by_place.ranges()) timed += places.instructions(range);
  estimate(counts, part, timed, outcome);
}

// Fills the L2 with the lines that all CTAs before this CTA window would have left there. To find these
// lines, executes some CTAs untimed: the CTAs between the last record of accessed lines and the warm-up.
// Called before the window's warm-up and, with `again`, after it. The second call removes lines that CTAs
// from the previous position in the grid have accessed during the warm-up.
void EstimatedLaunches::warm_before(const isa::KernelLaunch& launch, const LineMarks& lines,
                                    std::uint64_t unfinished, const CtaPlaces::Place& place, bool again) {
  const std::size_t held = around_.gpu.memory().held_lines();
  if (held == 0) return;
  const std::uint64_t first = place.warm_up.first;
  const LineMarks::Mark& mark = lines.before(first);
  std::vector<std::uint64_t> touched = left_;
  touched.insert(touched.end(), mark.addresses.begin(), mark.addresses.end());
  touch_between(launch, mark.cta - std::min(mark.cta, unfinished), first, touched);
  if (!again) return around_.gpu.memory().hold(touched);
  std::vector<std::uint64_t> own;
  touch_between(launch, first, place.window.first, own);
  around_.gpu.memory().hold(touched, own);
}

void EstimatedLaunches::touch_between(const isa::KernelLaunch& launch, std::uint64_t begin, std::uint64_t end,
                                      std::vector<std::uint64_t>& touched) {
  if (begin == end) return;
  const std::size_t held = around_.gpu.memory().held_lines();
  LastLines between(held);
  reference::ReferenceOptions options = around_.reference_options();
  options.global_accesses = &between;
  options.first_cta = begin;
  options.cta_count = end - begin;
  try {
    reference::run_reference(launch, scratch_, options);
  } catch (const reference::StoppedError&) {
    return;
  } catch (const Error&) {
    return;  // CTAs need results of earlier CTAs, so their lines are not known.
  }
  const std::vector<std::uint64_t> addresses = between.addresses();
  touched.insert(touched.end(), addresses.begin(), addresses.end());
}

// Adds to left_ the cache lines that the launch leaves in the L2. After a launch that was timed completely,
// the L2 already contains these lines, so its contents need no estimate.
void EstimatedLaunches::leave(const LineMarks& lines, const LaunchEstimate& estimate) {
  cache_estimated_ = !estimate.whole;
  const std::size_t held = around_.gpu.memory().held_lines();
  if (held == 0) return;
  // Clear the marks of written sectors: at the end of a launch, dirty lines are written back and are no
  // longer dirty.
  for (const std::uint64_t address : lines.at_end) left_.push_back(address & ~IMemoryModel::kWrittenSectors);
  const std::size_t kept = LastLines::kept_of(held);
  if (left_.size() > kept) left_.erase(left_.begin(), left_.end() - static_cast<std::ptrdiff_t>(kept));
}

// Extrapolates the counts of the timed CTAs to the whole launch. Instructions that the hardware inserts, such
// as spills, are not in the program, so their number is estimated.
void EstimatedLaunches::estimate(const UntimedCounts& counts, const TimedPart& part, std::uint64_t timed,
                                 Outcome& outcome) {
  LaunchEstimate& e = outcome.estimate;
  if (part.windows.empty()) return take_whole(part, has_estimated_cache(), e);
  const std::uint64_t all = counts.result.warp_instructions;
  e.exact_counts = part.issued == timed;
  const double added = timed ? static_cast<double>(part.issued) / static_cast<double>(timed) : 1;
  e.instructions =
      e.exact_counts ? all : static_cast<std::uint64_t>(std::llround(added * static_cast<double>(all)));
  e.instructions_timed = part.issued;
  const std::uint64_t rest = e.instructions - part.issued + (part.head_apart ? part.head.issued : 0);
  e.instructions_low = e.instructions_high = e.instructions;
  e.cycles = to_whole(widened(cycles_of(part, rest, static_cast<double>(part.cycles))));
  e.counters = extended_counters(part, rest);
  if (e.exact_counts) {
    put_lanes(counts, part, around_.stats, e.counters);
    put_exact(counts, around_.stats, e.counters);
  }
  e.windows = part.windows;
  if (around_.energy) {
    const auto energies = [&](auto of) {
      const auto nj = [&](const std::vector<std::uint64_t>& counters, Cycle cycles) {
        return of(spent(counters, cycles)) / kPicojoulesOfNanojoule;
      };
      const Interval interval = extended(part, rest, nj(part.counters, part.cycles),
                                         [&](const TimedWindow& w) { return nj(w.counters, w.cycles); });
      const double value = nj(e.counters, static_cast<Cycle>(std::llround(e.cycles.value)));
      const double half = (interval.high - interval.low) / 2;
      return widened({value, value - half, value + half});
    };
    e.energy_nj = energies([](const power::EnergyParts& parts) { return parts.total(); });
    e.dynamic_nj = energies([](const power::EnergyParts& parts) { return parts[power::Kind::dynamic]; });
    for (TimedWindow& window : e.windows)
      window.energy_nj = spent(window.counters, window.cycles).total() / kPicojoulesOfNanojoule;
  }
}

power::EnergyParts EstimatedLaunches::spent(const std::vector<std::uint64_t>& counters, Cycle cycles) const {
  return around_.energy->balances(counters, cycles).total.spent;
}

// Takes over the counts of a launch that was timed completely. These counts are exact unless the L2 began
// with estimated contents.
void EstimatedLaunches::take_whole(const TimedPart& part, bool cache_estimated, LaunchEstimate& e) const {
  const auto known = [cache_estimated](double value) {
    const double half = cache_estimated ? kEstimatedCache * value : 0;
    return Interval{value, value - half, value + half};
  };
  e.whole = true;
  e.instructions = e.instructions_low = e.instructions_high = e.instructions_timed = part.issued;
  e.cycles = known(static_cast<double>(part.cycles));
  e.counters = part.counters;
  if (!around_.energy) return;
  const power::EnergyParts all = spent(part.counters, part.cycles);
  e.energy_nj = known(all.total() / kPicojoulesOfNanojoule);
  e.dynamic_nj = known(all[power::Kind::dynamic] / kPicojoulesOfNanojoule);
}

LaunchEstimate EstimatedLaunches::total() {
  for (std::size_t number = 0; number < series_.size(); ++number) add(number, series_[number].launches.end());
  LaunchEstimate total = totals_.total();
  if (around_.parameters.paired_share > 0) total.paired = paired_.all();
  return total;
}

OrderDependence EstimatedLaunches::dependence_of(const isa::KernelLaunch& launch) {
  const auto [known, is_new] = dependences_.try_emplace(launch.program->kernel, OrderDependence::none);
  if (!is_new) return known->second;
  known->second = order_dependence(*around_.parsed(launch.program->kernel));
  if (known->second == OrderDependence::none && around_.declared) known->second = OrderDependence::counts;
  const char* const why = known->second == OrderDependence::waits
                              ? "warps of kernel {} may wait for other CTAs"
                          : launch.reads ? "kernel {} reads a clock, or where it runs"
                                         : nullptr;
  if (why)
    around_.warnings.push_back(
        fmt::format("estimate: {}: its launches are timed whole",
                    fmt::format(fmt::runtime(why), ptx::plain_name(launch.program->kernel))));
  return known->second;
}

// Executes the launch again with another order of threads: CTAs run one after the other, and the warps of a
// CTA take short turns. Widens the range of instruction counts so that it includes the count of this order.
void EstimatedLaunches::widen_counts(const isa::KernelLaunch& launch, const MemoryImage& before,
                                     const UntimedCounts& counts, LaunchEstimate& estimate) const {
  MemoryImage scratch = before;
  reference::ReferenceOptions options = around_.reference_options();
  options.resident_ctas = 1;
  options.quantum = 1;
  const std::uint64_t one = counts.result.warp_instructions,
                      other = reference::run_reference(launch, scratch, options).warp_instructions;
  const double by = static_cast<double>(estimate.instructions) / static_cast<double>(one);
  const auto issued = [&](std::uint64_t n) {
    return static_cast<std::uint64_t>(std::llround(by * static_cast<double>(n)));
  };
  estimate.instructions_low = issued(std::min(one, other));
  estimate.instructions_high = issued(std::max(one, other));
  estimate.order_dependent = true;
}

// Widens an interval for errors due to effects that no timed CTA shows: how the machine fills, settles and
// drains.
Interval EstimatedLaunches::widened(const Interval& interval) const {
  return wider(interval, around_.parameters.unsampled_percent / 100);
}

// Returns true if no more CTAs of the launch must be timed. This is the case if the estimated cycles are
// accurate enough for the launch or for the run, or if they agree with earlier launches of the same size.
bool EstimatedLaunches::is_good(const Interval& whole, const Before& before) const {
  const double permitted = around_.parameters.error_percent / 100;
  const auto& by = before.expected;
  if (by && by->alike && whole.value >= (1 - permitted) * by->low &&
      whole.value <= (1 + permitted) * by->high)
    return true;
  return (whole.high - whole.low) / 2 <= permitted * whole.value ||
         totals_.known_within(permitted, before.series, whole);
}

// Returns true if half of the confidence interval of `cycles` is at most kWidest times the permitted error.
// Otherwise, timing continues even if the estimate has reached a limit of its cost (such as kMostOfPlaces).
bool EstimatedLaunches::is_narrow(const Interval& cycles) const {
  return cycles.high - cycles.value <= kWidest * around_.parameters.error_percent / 100 * cycles.value;
}

// For a grid that is timed from its first CTA on: returns true if no further window (consecutive CTAs) must
// be timed. When the windows so far forecast the rest of the grid accurately, makes `places` jump to the last
// window of the grid, because CTAs at the end may run differently.
bool EstimatedLaunches::ends_in_order(CtaPlaces& places, TimedPart& part, std::uint64_t waves,
                                      const Before& before) const {
  part.rest = places.rest();
  if (part.rest->count == 0) return places.at_end();
  double timed = static_cast<double>(part.head.cycles);
  for (const TimedWindow& window : part.windows) timed += static_cast<double>(window.cycles);
  const Interval cycles = cycles_of(part, places.instructions(*part.rest), timed);
  const double untimed = static_cast<double>(part.rest->count), all = static_cast<double>(places.ctas());
  if (!std::isfinite(cycles.high)) return false;
  const bool costs_half =
      static_cast<double>(waves) >= CtaPlaces::kWavesOfHalf &&
      untimed - static_cast<double>(places.next_window()) < (1 - CtaPlaces::kMostInOrder) * all;
  const bool enough = is_good(cycles, before) || (costs_half && is_narrow(cycles));
  if (places.at_end()) return enough;
  // Jump to the end of the grid only if more than two untimed windows are left. Timing two windows costs no
  // more than the jump.
  if (enough && part.rest->count > 2 * places.window()) places.go_to_end();
  return false;
}

// For a grid that is timed in stretches: returns true if no further stretch must be timed. Otherwise, if all
// first stretches have been timed, makes `places` continue in the gap that widens the interval most.
bool EstimatedLaunches::ends_in_stretches(CtaPlaces& places, TimedPart& part, Cycle elapsed,
                                          const Before& before) const {
  GridStretches& stretches = *places.stretches();
  if (!stretches.stretch_ended() || stretches.ended() < GridStretches::kLeast) return false;
  part.gaps = gaps_of(places);
  double untimed = 0;
  std::uint64_t rest = 0;
  for (const UntimedGap& gap : part.gaps) {
    untimed += static_cast<double>(gap.ctas.count);
    rest += places.instructions(gap.ctas);
  }
  if (stretches.ended() >= places.least()) {
    const Interval cycles = cycles_of(part, rest, static_cast<double>(elapsed));
    const double after = untimed - static_cast<double>(stretches.stretch());
    const bool at_limit = after < (1 - CtaPlaces::kMostInOrder) * static_cast<double>(places.ctas());
    if (is_good(cycles, before) || (at_limit && is_narrow(cycles))) return true;
  }
  const std::vector<double> doubts = doubts_of_gaps(part, cycles_in, kUsualDeviation);
  const UntimedGap* widest = nullptr;
  double most = 0;
  for (std::size_t i = 0; i < part.gaps.size(); ++i)
    if (doubts[i] > most && stretches.holds_stretch(part.gaps[i].ctas)) {
      most = doubts[i];
      widest = &part.gaps[i];
    }
  if (widest) stretches.go_to(widest->ctas);
  return !widest;
}

}  // namespace heddle::estimate
