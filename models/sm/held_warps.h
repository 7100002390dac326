#pragma once

// Issue constraint that blocks the warps that a WarpHold object holds (models/ports/residency.h). An object
// holds warps, for example, while their registers are in memory or being moved.

#include <algorithm>
#include <array>
#include <vector>

#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

class HeldWarps final : public IssueConstraint {
 public:
  HeldWarps(const WarpHold& hold, const Context& context);

  const char* own_reason() const override;
  bool lasting() const override;
  /// Returns all warps that the WarpHold object holds. The set includes warps without a decoded instruction:
  /// they are no candidates for issue, but must be counted as waiting for this constraint.
  WarpSet blocked(const ConstraintView& view) override;

 private:
  const WarpHold& hold_;
  std::array<WarpSet, WarpSet::kCapacity> mine_{};
};

/// All WarpHold objects of an SM, which keep warps from issuing. Each object has an issue constraint
/// HeldWarps; `bit` is the bit of this constraint in a set of constraints.
class WarpHolds {
 public:
  void add(WarpHold& hold, std::uint64_t bit) { holds_.push_back({&hold, bit}); }
  bool any() const { return !holds_.empty(); }
  /// Returns the first cycle in which step() has work to do.
  Cycle next() const {
    Cycle next = kNever;
    for (const Hold& hold : holds_) next = std::min(next, hold.by->next_change());
    return next;
  }
  /// Calls WarpHold::step(now, bound, active) of each object that has work in cycle `now`.
  void step(Cycle now, WarpSet bound, WarpSet active) {
    for (const Hold& hold : holds_) {
      if (hold.by->next_change() > now) continue;
      hold.by->step(now, bound, active);
      ++steps_;
    }
  }
  /// Returns a number that grows whenever the held warps may have changed.
  std::uint64_t changes() const { return steps_; }
  /// Updates and returns the set `constraints` (one bit per constraint). Sets the bit of each HeldWarps
  /// constraint that holds a warp now. Clears the bits of the other HeldWarps constraints.
  std::uint64_t holding(std::uint64_t constraints) const {
    for (const Hold& hold : holds_) {
      const bool holds = !(hold.by->held() | hold.by->held_after_next()).empty();
      constraints = holds ? constraints | hold.bit : constraints & ~hold.bit;
    }
    return constraints;
  }

 private:
  struct Hold {
    WarpHold* by;
    std::uint64_t bit;
  };
  std::vector<Hold> holds_;
  std::uint64_t steps_ = 0;
};

}  // namespace heddle
