// Blocks an instruction while no operand collector of its kind is free. Control instructions need no
// collector. The second instruction that a warp issues in a cycle needs a second collector.

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {
namespace {

class CollectorFree : public IssueConstraint {
 public:
  CollectorFree(const NoParameters&, Context&) {}
  WarpSet blocked(const ConstraintView& view) override {
    if (view.free_collectors.by_kind()) return blocked_by_kind(view);
    if (view.free_collectors.of(isa::UnitClass::int_) > view.slot) return 0;
    return view.candidates & ~view.by_unit[static_cast<std::size_t>(isa::UnitClass::control)];
  }
  Obstacle obstacle() const override { return Obstacle::no_collector; }

 private:
  static WarpSet blocked_by_kind(const ConstraintView& view) {
    WarpSet blocked = 0;
    for (const isa::UnitClass unit : {isa::UnitClass::int_, isa::UnitClass::fp, isa::UnitClass::sfu,
                                      isa::UnitClass::ldst, isa::UnitClass::matrix}) {
      const int free = view.free_collectors.of(unit);
      if (free > view.slot) continue;
      for (const WarpId warp : view.candidates& view.by_unit[static_cast<std::size_t>(unit)]) {
        const bool first_takes_one =
            view.slot > 0 && view.free_collectors.same_set(unit, view.warps[warp.value].unit);
        if (free <= (first_takes_one ? 1 : 0)) blocked.add(warp);
      }
    }
    return blocked;
  }
};

const Registration<IssueConstraint, CollectorFree> collector_free_entry{
    "collector-free", "a free operand collector", {.kinds = {"resource"}, .before = {"unit-gated"}}};

const Arrays<IssueConstraint> collector_free_arrays{"collector-free", {}};

}  // namespace
}  // namespace heddle
