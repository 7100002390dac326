// An instruction waits until the scoreboard shows no earlier instruction that still has to write its sources
// or destinations, or to read its destinations.

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

}  // namespace
}  // namespace heddle
