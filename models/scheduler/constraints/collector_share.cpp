// Limits how many operand collectors of a partition INT instructions may hold, and how many FP instructions may
// hold. A folded instruction occupies its dispatch port for two passes (Abdel-Majeed 2016, 4.3.4). Without a
// limit, instructions of one type could thus fill all collectors. The limit is assumed: the paper does not
// treat this case.

#include <array>
#include <vector>

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/ports/warp_homes.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {
namespace {

struct CollectorShareParameters {
  int most = 8;
  void fields(FieldVisitor& v) {
    v.field("most", most, {1, 1024},
            "most collectors of a partition that INT instructions may hold at a time; the same limit holds "
            "for FP instructions");
  }
};

class CollectorShare : public IssueConstraint {
 public:
  CollectorShare(const CollectorShareParameters& p, Context& context)
      : most_(p.most),
        homes_{static_cast<std::uint32_t>(context.schedulers),
               static_cast<std::uint32_t>(context.partitions)},
        held_(homes_.partitions) {}

  LifeSet subscriptions() const override { return {Life::kernel_begins, Life::issued, Life::dispatched}; }
  void kernel_begins(const KernelBegins&) override {
    for (Held& held : held_) held = {};
  }
  void issued(const InFlight& item) override {
    if (item.collects()) count(item, 1);
  }
  void dispatched(const InFlight& item) override { count(item, -1); }

  WarpSet blocked(const ConstraintView& view) override {
    WarpSet blocked = 0;
    for (const isa::UnitClass unit : {isa::UnitClass::int_, isa::UnitClass::fp})
      if (held_[static_cast<std::size_t>(view.partition)][index(unit)] + view.slot >= most_)
        blocked |= view.candidates & view.by_unit[index(unit)];
    return blocked;
  }
  ConstraintNeeds needs() const override { return {.issues = true}; }
  const char* own_reason() const override { return "collector-share"; }

 private:
  using Held = std::array<int, kUnitClasses>;
  static std::size_t index(isa::UnitClass unit) { return static_cast<std::size_t>(unit); }
  void count(const InFlight& item, int more) {
    held_[homes_.partition(item.warp())][index(item.instruction->unit)] += more;
  }

  int most_;
  WarpHomes homes_;
  std::vector<Held> held_;
};

const Registration<IssueConstraint, CollectorShare, CollectorShareParameters> collector_share_entry{
    "collector-share",
    "limits the collectors that INT instructions hold, and those that FP instructions hold",
    {.kinds = {"resource"}, .before = {"unit-gated"}}};

const Arrays<IssueConstraint> collector_share_arrays{"collector-share", {}};

}  // namespace
}  // namespace heddle
