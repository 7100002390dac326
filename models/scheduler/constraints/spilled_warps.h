#pragma once

// The SM's own constraint where registers are written out to memory: whoever has none does not issue
// (register_spiller.h).

#include <array>

#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

class SpilledWarps final : public IssueConstraint {
 public:
  explicit SpilledWarps(const Context& context);

  void set(WarpSet warps) { warps_ = warps; }

  const char* own_reason() const override;
  bool lasting() const override;
  /// Not candidates alone: those that are out have no instruction, and wait like the others.
  WarpSet blocked(const ConstraintView& view) override;

 private:
  WarpSet warps_;
  std::array<WarpSet, WarpSet::kCapacity> mine_{};  ///< by scheduler
};

}  // namespace heddle
