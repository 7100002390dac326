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
      step_ = Step::end;
      if (places_.tail().count == 0) return std::nullopt;
      return give(places_.tail());
    }
    case Step::window:
      if (place_.warm_up.count) nears_(place_, true);
      gpu_.settle(cycle);
      if (windows_.empty()) head_ = window(places_.head(), cycle);
      begin_ = cycle;
      before_ = stats_.snapshot();
      step_ = Step::take;
      return give(place_.window);
    case Step::take:
      take(cycle);
      step_ = Step::place;
      return next(cycle);
    case Step::end:
      break;
  }
  return std::nullopt;
}

void PlaceByPlace::take(Cycle cycle) {
  gpu_.settle(cycle);
  windows_.push_back(window(place_.window, cycle));
  windows_.back().position = place_.position;
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
