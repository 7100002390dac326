// A plug-in issue constraint that depends only on time. Time is divided into periods of `cycles` cycles;
// instructions for an execution unit may issue only in every second period.

#include "models/core/registry.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {
namespace {

struct TidesParameters {
  int cycles = 50;
  void fields(FieldVisitor& v) { v.field("cycles", cycles, {1, 100000}, "length of a tide"); }
};

class ToyTides : public IssueConstraint {
 public:
  ToyTides(const TidesParameters& p, Context&) : cycles_(static_cast<Cycle>(p.cycles)) {}

  WarpSet blocked(const ConstraintView& view) override {
    const bool low = view.now / cycles_ % 2 != 0;
    return low ? view.candidates & ~view.by_unit[static_cast<std::size_t>(isa::UnitClass::control)]
               : WarpSet{};
  }
  Cycle next_change(Cycle now) const override { return (now / cycles_ + 1) * cycles_; }
  ConstraintNeeds needs() const override { return {.time = true}; }
  const char* own_reason() const override { return "low-tide"; }

 private:
  Cycle cycles_;
};

const Registration<IssueConstraint, ToyTides, TidesParameters> toy_tides_entry{"toy-tides", "issues by time"};

}  // namespace
}  // namespace heddle
