#include "models/regfile/fast_mode.h"

#include <utility>

namespace heddle {

// The first epoch has the back gate on.
FastMode::FastMode(const PartitionParameters& parameters, const StatsScope& stats)
    : adaptive_(parameters.mode == "adaptive"),
      epoch_(static_cast<Cycle>(parameters.epoch_cycles)),
      threshold_(static_cast<std::uint64_t>(parameters.low_below_issues)),
      low_(parameters.mode == "low"),
      next_epoch_(epoch_),
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

// Epochs in which nobody asked and nothing was issued had no issues.
void FastMode::enter(Cycle now) {
  while (now >= next_epoch_) {
    count_to(next_epoch_);
    low_ = issues_ < threshold_;
    issues_ = 0;
    const Cycle behind = (now - next_epoch_) / epoch_;
    next_epoch_ += epoch_;
    if (behind < 2) continue;
    // All but the first of the epochs that passed are alike.
    count_to(next_epoch_);
    low_ = threshold_ > 0;
    next_epoch_ += (behind - 1) * epoch_;
  }
}

void FastMode::count_to(Cycle cycle) {
  if (low_ && cycle > counted_) low_cycles_ += cycle - counted_;
  if (cycle > counted_) counted_ = cycle;
}

void FastMode::settle(Cycle cycle) {
  if (adaptive_ && cycle >= next_epoch_) enter(cycle);
  count_to(cycle);
}

}  // namespace heddle
