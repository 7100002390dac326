#pragma once

// Issue constraint that stops warps whose registers are in memory or are being moved
// (models/ports/residency.h).

#include <array>

#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

class HeldWarps final : public IssueConstraint {
 public:
  HeldWarps(const WarpResidency& residency, const Context& context);

  const char* own_reason() const override;
  bool lasting() const override;
  /// Returns all held warps, even if they are no candidates, so that a held warp without a decoded
  /// instruction also counts as waiting.
  WarpSet blocked(const ConstraintView& view) override;

 private:
  const WarpResidency& residency_;
  std::array<WarpSet, WarpSet::kCapacity> mine_{};
};

}  // namespace heddle
