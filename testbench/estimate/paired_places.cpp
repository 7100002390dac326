#include "testbench/estimate/paired_places.h"

#include <algorithm>
#include <cmath>

#include "testbench/estimate/estimate_figures.h"

namespace heddle::estimate {
namespace {

// Two runs time the same CTA windows, in groups ("pieces"). The relative difference between the runs' cycles
// per instruction varies from piece to piece. kUsualDifference: usual standard deviation of this difference
// (assumed); it counts as much as kUsualFreedom measured pieces. kUnsampled: error due to effects that no
// piece shows (filling, draining, untimed launches). Both values are chosen so that the confidence intervals
// contain at least nine tenths of thirty differences that were measured.
constexpr double kUsualDifference = 0.01, kUnsampled = 0.005;

constexpr double kPoint = 0.01;

// Number of timed CTA windows in one group ("piece"). Neighbouring windows share CTAs, so their errors are
// correlated, and single windows are not independent samples.
constexpr std::size_t kWindowsOfPiece = 4;

bool same_ctas(const PairedPlace& a, const PairedPlace& b) {
  return a.launch == b.launch && a.first_cta == b.first_cta && a.ctas == b.ctas;
}

bool of_same_ctas(const std::vector<PairedPlace>& first, const std::vector<PairedPlace>& other) {
  return !first.empty() && std::equal(first.begin(), first.end(), other.begin(), other.end(), same_ctas);
}

using At = std::vector<PairedPlace>::const_iterator;

// Functions that return a quantity (cycles or energy) of a group of timed CTAs and of a run.
struct Quantity {
  double (*of)(const PairedPlace& place);
  double (*stands_for)(const PairedPlace& place);
  double (*all)(const PairedRun& run);
  double (*half)(const PairedRun& run);
};
constexpr Quantity kCycles = {[](const PairedPlace& place) { return static_cast<double>(place.cycles); },
                              [](const PairedPlace& place) { return place.stands_for; },
                              [](const PairedRun& run) { return run.cycles; },
                              [](const PairedRun& run) { return run.half; }};
constexpr Quantity kEnergy = {[](const PairedPlace& place) { return place.energy_nj; },
                              [](const PairedPlace& place) { return place.stands_for_nj; },
                              [](const PairedRun& run) { return run.energy_nj; },
                              [](const PairedRun& run) { return run.energy_half; }};

double rate(At begin, At end, const Quantity& quantity) {
  double sum = 0, issued = 0;
  for (At place = begin; place != end; ++place) {
    sum += quantity.of(*place);
    issued += static_cast<double>(place->issued);
  }
  return sum / issued;
}

std::vector<Counted> joined(const std::vector<Counted>& pieces, std::size_t in_a_row) {
  std::vector<Counted> all;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i % in_a_row == 0) all.push_back({});
    all.back().quantity += pieces[i].quantity;
    all.back().instructions += pieces[i].instructions;
  }
  return all;
}

// Joins neighbouring groups of CTAs into longer and longer groups. For each length, computes half of the
// confidence interval of the difference; returns the largest of these halves. Longer groups include errors
// that neighbouring CTAs have in common, such as a drift.
double widest_half(const std::vector<Counted>& pieces) {
  double half = 0;
  for (std::size_t in_a_row = 1; in_a_row == 1 || 2 * in_a_row <= pieces.size(); in_a_row *= 2) {
    const double usual = kUsualDifference / std::sqrt(static_cast<double>(in_a_row));
    half = std::max(half, stratified_rate(joined(pieces, in_a_row), usual).half_width);
  }
  return half;
}

// Two runs time the same CTAs of a launch. The launch's rate (cycles or energy per instruction) in the second
// run, divided by its rate in the first run, is a ratio. Returns half of the ratio's 90 % interval, divided
// by the ratio. The interval follows from one difference per group of timed CTAs: the group's relative
// deviation from the launch's rate in the second run, minus the same deviation in the first run.
double half_of_launch(At first, At first_end, At other, At other_end, const Quantity& quantity) {
  const double rate_first = rate(first, first_end, quantity), rate_other = rate(other, other_end, quantity);
  std::vector<Counted> places;
  for (; first != first_end; ++first, ++other) {
    const auto residual = [&quantity](const PairedPlace& place, double rate) {
      return quantity.of(place) / (rate * static_cast<double>(place.issued)) - 1;
    };
    const auto issued = static_cast<double>(first->issued);
    places.push_back({issued * (1 + residual(*other, rate_other) - residual(*first, rate_first)), issued});
  }
  return widest_half(places);
}

PairedDifference difference_of(const PairedRun& first, const PairedRun& other, const Quantity& quantity) {
  const double all = quantity.all(other);
  PairedDifference difference{all / quantity.all(first),
                              std::hypot(quantity.half(first), quantity.half(other)), 0};
  if (!of_same_ctas(first.places, other.places)) return difference;
  double half = 0;  // sum over launches: their errors mostly have the same sign
  for (At a = first.places.begin(), b = other.places.begin(); a != first.places.end();) {
    const auto is_other = [&](const PairedPlace& place) { return place.launch != a->launch; };
    const At a_end = std::find_if(a, first.places.end(), is_other), b_end = b + (a_end - a);
    half += half_of_launch(a, a_end, b, b_end, quantity) * quantity.stands_for(*b) / all;
    a = a_end;
    b = b_end;
  }
  difference.half = std::hypot(half, kUnsampled);
  difference.places = first.places.size();
  return difference;
}

}  // namespace

void PairedPlaces::add(std::uint32_t launch, const LaunchEstimate& estimate) {
  stand_for(launch, estimate);
  std::size_t windows = kWindowsOfPiece;
  for (const TimedWindow& window : estimate.windows) {
    if (windows < kWindowsOfPiece && window.first_cta == places_.back().first_cta + places_.back().ctas) {
      places_.back().ctas += window.ctas;
      places_.back().cycles += window.cycles;
      places_.back().issued += window.issued;
      places_.back().energy_nj += window.energy_nj;
      ++windows;
    } else {
      places_.push_back(
          {launch, window.first_cta, window.ctas, window.cycles, window.issued, 0, window.energy_nj, 0});
      windows = 1;
    }
  }
}

void PairedPlaces::add_like(const LaunchEstimate& estimate) {
  if (estimate.like) stand_for(*estimate.like, estimate);
}

void PairedPlaces::stand_for(std::uint32_t launch, const LaunchEstimate& estimate) {
  StandsFor& all = stands_for_[launch];
  all.cycles += estimate.cycles.value;
  if (estimate.energy_nj) all.energy_nj += estimate.energy_nj->value;
}

std::vector<PairedPlace> PairedPlaces::all() const {
  std::vector<PairedPlace> all = places_;
  for (PairedPlace& place : all) {
    place.stands_for = stands_for_.at(place.launch).cycles;
    place.stands_for_nj = stands_for_.at(place.launch).energy_nj;
  }
  return all;
}

PairedDifference paired_difference(const PairedRun& first, const PairedRun& other) {
  return difference_of(first, other, kCycles);
}

std::optional<PairedDifference> paired_energy(const PairedRun& first, const PairedRun& other) {
  const auto has_none = [](const PairedRun& run) {
    return run.energy_nj == 0 || std::any_of(run.places.begin(), run.places.end(),
                                             [](const PairedPlace& place) { return place.energy_nj == 0; });
  };
  if (has_none(first) || has_none(other)) return std::nullopt;
  return difference_of(first, other, kEnergy);
}

bool is_well_known(const PairedDifference& difference) {
  return difference.half * difference.ratio <= std::max(kPoint, std::abs(difference.ratio - 1) / 4);
}

}  // namespace heddle::estimate
