// Blocks an instruction while no execution unit of its class accepts it with all lanes that it needs. A waiting
// instruction wakes its unit. With `wake_on` = "issue", a gated unit also accepts instructions, and the issue
// wakes the unit. A unit in blackout (not yet allowed to wake) accepts none (Abdel-Majeed 2016, 3.4).

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {
namespace {

class UnitGated : public IssueConstraint {
 public:
  UnitGated(const NoParameters&, Context&) {}
  WarpSet blocked(const ConstraintView& view) override {
    if (view.all_take) return 0;
    WarpSet blocked = 0;
    for (std::size_t u = 0; u < view.units.size(); ++u) {
      const UnitView& units = view.units[u];
      if (!units.takes)
        blocked |= view.candidates & view.by_unit[u];
      else if (units.lanes)
        for (const WarpId warp : view.candidates& view.by_unit[u])
          if (!units.able(view.lanes[warp.value])) blocked.add(warp);
    }
    return blocked;
  }
  Obstacle obstacle() const override { return Obstacle::unit_unavailable; }
  StallReason reason() const override { return StallReason::unit_unavailable; }
};

const Registration<IssueConstraint, UnitGated> unit_gated_entry{
    "unit-gated",
    "a unit of the class accepts instructions",
    {.kinds = {"resource"}, .before = {"throttle"}}};

const Arrays<IssueConstraint> unit_gated_arrays{"unit-gated", {}};

}  // namespace
}  // namespace heddle
