// Blocks an instruction while the scoreboard has a pending write to its sources or destinations, or a pending
// read of its destinations.

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {
namespace {

class ScoreboardConstraint : public IssueConstraint {
 public:
  ScoreboardConstraint(const NoParameters&, Context&) {}
  WarpSet blocked(const ConstraintView& view) override { return view.hazard; }
  Obstacle obstacle() const override { return Obstacle::hazard; }
  StallReason reason() const override { return StallReason::dependence; }
};

const Registration<IssueConstraint, ScoreboardConstraint> scoreboard_constraint_entry{
    "scoreboard", "register and predicate hazards", {.kinds = {"hazard"}, .before = {"resource"}}};

const Arrays<IssueConstraint> scoreboard_arrays{"scoreboard", {{"scoreboard", "registers", "2", "6R2W", {}}}};

}  // namespace
}  // namespace heddle
