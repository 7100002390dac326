#pragma once

// Dispatches the selected CTA windows of a launch, each after a warm-up, and counts cycles and events in each
// window. If the first CTAs of the grid are timed too, they begin after all these windows, when all SMs are
// empty.

#include <functional>
#include <optional>
#include <vector>

#include "models/gpu/gpu.h"
#include "testbench/estimate/cta_places.h"
#include "testbench/estimate/estimate_figures.h"
#include "testbench/estimate/head_ramp.h"
#include "testbench/estimate/untimed_counts.h"

namespace heddle::estimate {

std::vector<std::uint64_t> difference(std::vector<std::uint64_t> later,
                                      const std::vector<std::uint64_t>& earlier);

class PlaceByPlace {
 public:
  /// Dispatches and measures the windows of `places`. `enough`: returns true if no further window needs to be
  /// timed. It is called before each place, and before each window of the grid's beginning except the first
  /// ones. `nears`: lets the caller fill the caches for the place that is timed next. It is called before the
  /// place's warm-up (`again` false) and after it (`again` true). For the first CTAs of the grid, it is
  /// called once, with an empty window and `again` false.
  PlaceByPlace(CtaPlaces& places, std::uint64_t wave, Gpu& gpu, const StatsRegistry& stats,
               std::function<bool()> enough, std::function<void(const CtaPlaces::Place&, bool again)> nears)
      : places_(places),
        gpu_(gpu),
        stats_(stats),
        issued_(issue_counters(stats, "issued")),
        segments_(sm_counters(stats, ".load_store", "segments")),
        enough_(std::move(enough)),
        nears_(std::move(nears)),
        launch_begin_(gpu.next_begin()),
        begin_(launch_begin_),
        before_(stats.snapshot()) {
    ranges_.push_back(places.head());
    if (places.ramps())
      ramp_.emplace(places.head(), wave, gpu.parameters().sms,
                    [&places](DispatchRange range) { return places.instructions(range); });
    issued_before_ = issued();
  }

  DispatchRange first() { return ramp_ ? ramp_->first() : places_.head(); }

  /// Implements FurtherCtas: returns the CTAs to dispatch next.
  std::optional<DispatchRange> next(Cycle cycle);

  std::vector<TimedWindow>& windows() { return windows_; }
  /// Returns the counts from the start of the launch to the first window.
  const TimedWindow& head() const { return head_; }
  /// Returns the cycles from the start of the launch to the end of the last window.
  Cycle elapsed() const { return elapsed_; }
  /// Returns the windows of the grid's beginning.
  const std::vector<TimedWindow>& beginning() const { return beginning_; }
  /// Returns the counts from the end of the last timed window of the grid's beginning to the end of the
  /// launch in cycle `end`. Returns no counts if the beginning was not timed.
  TimedWindow after_beginning(Cycle end) const;
  const std::vector<DispatchRange>& ranges() const { return ranges_; }

 private:
  enum class Step { place, window, take, empty, beginning, begun, end };

  DispatchRange give(DispatchRange range) {
    ranges_.push_back(range);
    return range;
  }
  void take(Cycle cycle);
  void start_measuring(Cycle cycle);
  std::optional<DispatchRange> next_of_beginning();
  std::uint64_t issued() const;
  TimedWindow window(DispatchRange ctas, Cycle end) const;

  CtaPlaces& places_;
  Gpu& gpu_;
  const StatsRegistry& stats_;
  std::vector<std::size_t> issued_, segments_;
  std::function<bool()> enough_;
  std::function<void(const CtaPlaces::Place&, bool again)> nears_;
  std::optional<HeadRamp> ramp_;
  std::uint64_t issued_before_ = 0;
  Step step_ = Step::place;
  CtaPlaces::Place place_;
  Cycle launch_begin_, elapsed_ = 0;
  Cycle begin_;  ///< first cycle of the window that is being measured
  std::vector<std::uint64_t> before_;
  TimedWindow head_;
  std::vector<TimedWindow> windows_, beginning_;
  std::vector<DispatchRange> ranges_;
};

}  // namespace heddle::estimate
