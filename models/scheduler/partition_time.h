#pragma once

// Counts the cycles of each partition of an SM, but leaves out blocked cycles. In a blocked cycle, an
// instruction that cannot leave the operand stage delays all later instructions. No instruction of the
// partition issues in this cycle, and stall counts do not fall (operands/read_window.h). An operand stage
// that can block sets InFlight::operands_at before the event `prepared`. From this value, this class computes
// the blocked cycles. An operand stage that never blocks leaves the value 0.

#include <algorithm>
#include <deque>
#include <vector>

#include "models/ports/in_flight.h"

namespace heddle {

class PartitionTime {
 public:
  explicit PartitionTime(int partitions) : all_(static_cast<std::size_t>(partitions)) {}

  std::size_t partition_of(WarpId warp) const { return warp.value % all_.size(); }
  /// Records the cycles in which this instruction blocked its partition. Must be called at the event
  /// `prepared` of every instruction.
  void prepared(const InFlight& item) {
    if (item.operands_at == 0) return;
    Partition& p = all_[partition_of(item.warp())];
    const Cycle leaves = item.operands_at - kReadCycles;
    const Cycle enters = std::max(item.issued + 2, p.left + 1);
    if (leaves > enters) p.held.push_back({enters, leaves});
    p.left = leaves;
  }
  /// Returns `now` minus the blocked cycles before `now`.
  Cycle now(std::size_t partition, Cycle now) const {
    const Partition& p = all_[partition];
    Cycle held = p.before;
    for (const Held& h : p.held)
      if (h.begin < now) held += std::min(h.end, now) - h.begin;
    return now - held;
  }
  /// Returns `now` minus the blocked cycles before `now`, as now() does. Replaces the records of these
  /// blocked cycles by their number, so later calls must not pass an earlier cycle.
  Cycle at(std::size_t partition, Cycle now) {
    Partition& p = all_[partition];
    for (; !p.held.empty() && p.held.front().end <= now; p.held.pop_front())
      p.before += p.held.front().end - p.held.front().begin;
    return this->now(partition, now);
  }
  bool holds(std::size_t partition, Cycle now) const { return release(partition, now) != now; }
  /// Returns the first cycle from `now` on in which the partition may issue.
  Cycle release(std::size_t partition, Cycle now) const {
    for (const Held& held : all_[partition].held)
      if (held.begin <= now && now < held.end) now = held.end;
    return now;
  }
  void reset() { std::fill(all_.begin(), all_.end(), Partition{}); }

 private:
  static constexpr Cycle kReadCycles = 3;
  struct Held {
    Cycle begin, end;
  };
  struct Partition {
    std::deque<Held> held;
    Cycle left = 0;
    Cycle before = 0;
  };
  std::vector<Partition> all_;
};

}  // namespace heddle
