#pragma once

// The SM's own constraint where warps may be held (models/ports/residency.h): those that are do not issue.

#include <array>

#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

class HeldWarps final : public IssueConstraint {
 public:
  HeldWarps(const WarpResidency& residency, const Context& context);

  const char* own_reason() const override;
  bool lasting() const override;
  /// Not candidates alone: those that have no instruction wait like the others.
  WarpSet blocked(const ConstraintView& view) override;

 private:
  const WarpResidency& residency_;
  std::array<WarpSet, WarpSet::kCapacity> mine_{};  ///< by scheduler
};

}  // namespace heddle
