#include "testbench/estimate/place_by_place.h"

namespace heddle::estimate {

std::vector<std::uint64_t> difference(std::vector<std::uint64_t> later,
                                      const std::vector<std::uint64_t>& earlier) {
  for (std::size_t i = 0; i < later.size(); ++i) later[i] -= earlier[i];
  return later;
}

std::uint64_t PlaceByPlace::issued() const {
  std::uint64_t sum = 0;
  for (const std::size_t i : issued_) sum += stats_.counters()[i].counter->value();
  return sum;
}

std::optional<DispatchRange> PlaceByPlace::next(Cycle cycle) {
  if (ramp_)
    if (const auto begins = ramp_->next(issued() - issued_before_)) return begins;
  switch (step_) {
    case Step::place: {
      if (const auto place = enough_() ? std::nullopt : places_.next()) {
        place_ = *place;
        step_ = Step::window;
        if (windows_.empty() || place_.warm_up.count == 0) return next(cycle);
        nears_(place_, false);
        return give(place_.warm_up);
      }
      step_ = places_.times_beginning() ? Step::empty : Step::end;
      if (places_.times_beginning()) return next(cycle);
      if (places_.tail().count == 0) return std::nullopt;
      return give(places_.tail());
    }
    case Step::window:
      if (place_.warm_up.count) nears_(place_, true);
      gpu_.settle(cycle);
      if (windows_.empty()) head_ = window(places_.head(), cycle);
      start_measuring(cycle);
      step_ = Step::take;
      return give(place_.window);
    case Step::take:
      take(cycle);
      step_ = Step::place;
      return next(cycle);
    case Step::empty:
      if (gpu_.dispatcher().ctas_ended() < gpu_.dispatcher().ctas_total()) return DispatchRange{0, 0};
      nears_({places_.beginning(), {}, 0}, false);
      step_ = Step::beginning;
      return give(places_.beginning());
    case Step::beginning:
      start_measuring(cycle);
      step_ = Step::begun;
      return next_of_beginning();
    case Step::begun:
      gpu_.settle(cycle);
      beginning_.push_back(window(place_.window, cycle));
      start_measuring(cycle);
      return next_of_beginning();
    case Step::end:
      break;
  }
  return std::nullopt;
}

std::optional<DispatchRange> PlaceByPlace::next_of_beginning() {
  const auto range = beginning_.size() >= CtaPlaces::kLeastOfBeginning && enough_()
                         ? std::nullopt
                         : places_.next_of_beginning();
  if (range) {
    place_.window = *range;
    return give(*range);
  }
  step_ = Step::end;
  return std::nullopt;
}

void PlaceByPlace::start_measuring(Cycle cycle) {
  gpu_.settle(cycle);
  begin_ = cycle;
  before_ = stats_.snapshot();
}

TimedWindow PlaceByPlace::after_beginning(Cycle end) const {
  if (beginning_.empty()) return {};
  return window({}, end);
}

void PlaceByPlace::take(Cycle cycle) {
  gpu_.settle(cycle);
  windows_.push_back(window(place_.window, cycle));
  windows_.back().position = place_.position;
  elapsed_ = cycle - launch_begin_;
}

TimedWindow PlaceByPlace::window(DispatchRange ctas, Cycle end) const {
  TimedWindow window{ctas.first, ctas.count, 0, end - begin_, 0, difference(stats_.snapshot(), before_)};
  for (const std::size_t i : issued_) window.issued += window.counters[i];
  std::uint64_t segments = 0;
  for (const std::size_t i : segments_) segments += window.counters[i];
  if (window.issued) window.segments = static_cast<double>(segments) / static_cast<double>(window.issued);
  return window;
}

}  // namespace heddle::estimate
