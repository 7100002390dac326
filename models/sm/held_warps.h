#pragma once

// Issue constraint for warps that are held, for example while their registers are in memory
// (models/ports/residency.h). Held warps do not issue.

#include <array>

#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

class HeldWarps final : public IssueConstraint {
 public:
  HeldWarps(const WarpResidency& residency, const Context& context);

  const char* own_reason() const override;
  bool lasting() const override;
  /// Returns all held warps, not only candidates. A held warp without a decoded instruction then also counts
  /// as waiting for long.
  WarpSet blocked(const ConstraintView& view) override;

 private:
  const WarpResidency& residency_;
  std::array<WarpSet, WarpSet::kCapacity> mine_{};  ///< warps of each scheduler
};

}  // namespace heddle
