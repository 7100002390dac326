// Everything but control instructions needs a free operand collector.

#include "models/core/registry.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {
namespace {

class CollectorFree : public IssueConstraint {
 public:
  CollectorFree(const NoParameters&, Context&) {}
  WarpSet blocked(const ConstraintView& view) override {
    if (view.free_collectors > view.slot) return 0;
    return view.candidates & ~view.by_unit[static_cast<std::size_t>(isa::UnitClass::control)];
  }
};

const Registration<IssueConstraint, CollectorFree> registered{"collector-free", "a free operand collector"};

}  // namespace
}  // namespace heddle
