#pragma once

// The SM's own constraint for warps that are held (models/ports/residency.h). Held warps do not issue.

#include <array>

#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

class HeldWarps final : public IssueConstraint {
 public:
  HeldWarps(const WarpResidency& residency, const Context& context);

  const char* own_reason() const override;
  bool lasting() const override;
  /// Returns all held warps, not only candidates, so that held warps without an instruction also have a
  /// lasting wait.
  WarpSet blocked(const ConstraintView& view) override;

 private:
  const WarpResidency& residency_;
  std::array<WarpSet, WarpSet::kCapacity> mine_{};  ///< by scheduler
};

}  // namespace heddle
