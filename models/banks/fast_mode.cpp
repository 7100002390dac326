#include "models/banks/fast_mode.h"

#include <algorithm>
#include <utility>

namespace heddle {

FastMode::FastMode(const PartitionParameters& parameters, const StatsScope& stats)
    : adaptive_(parameters.mode == "adaptive"),
      epoch_(static_cast<Cycle>(parameters.epoch_cycles)),
      threshold_(static_cast<std::uint64_t>(parameters.low_below_issues)),
      low_(parameters.mode == "low"),
      next_epoch_(epoch_),
      counted_low_(low_),
      probe_(parameters),
      low_cycles_(stats.add("fast_low_cycles", "cycles", "cycles with the back gate of the fast rows off")) {}

void FastMode::issued(Cycle now) {
  if (now >= next_epoch_) enter(now);
  ++issues_;
  if (!probe_.attached()) return;
  if (seen_.now != now) before_ = std::exchange(seen_, {now, 0});
  ++seen_.issued;
}

void FastMode::begin_cycle(Cycle now) {
  if (now == 0) return;
  const Cycle over = now - 1;
  bool low_now = low(now);
  probe_.answered({over, seen_.now == over     ? seen_.issued
                         : before_.now == over ? before_.issued
                                               : 0},
                  low_now);
  low_ = low_now;
}

void FastMode::enter(Cycle now) {
  set(next_epoch_, issues_ < threshold_);
  issues_ = 0;
  next_epoch_ += epoch_;
  if (now < next_epoch_) return;
  set(next_epoch_, threshold_ > 0);
  next_epoch_ += ((now - next_epoch_) / epoch_ + 1) * epoch_;
}

void FastMode::set(Cycle from, bool low) {
  if (low != low_) changes_.push_back({from, low});
  low_ = low;
}

void FastMode::settle(Cycle cycle) {
  if (adaptive_ && cycle >= next_epoch_) enter(cycle);
  std::size_t taken = 0;
  const auto count_to = [this](Cycle to) {
    if (counted_low_ && to > counted_) low_cycles_ += to - counted_;
    counted_ = std::max(counted_, to);
  };
  for (; taken < changes_.size() && changes_[taken].from < cycle; ++taken) {
    count_to(changes_[taken].from);
    counted_low_ = changes_[taken].low;
  }
  count_to(cycle);
  changes_.erase(changes_.begin(), changes_.begin() + static_cast<std::ptrdiff_t>(taken));
}

void FastMode::begins(Cycle cycle) {
  counted_low_ = low(cycle);
  counted_ = cycle;
  changes_.clear();
}

}  // namespace heddle
