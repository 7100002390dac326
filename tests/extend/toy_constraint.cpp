// A plug-in issue constraint: only the CTA that was placed first may issue. Warps of other CTAs stall until
// their CTA is the first one. The constraint cannot cause a deadlock: barriers are local to a CTA, so the
// issuing CTA ends.

#include <algorithm>
#include <vector>

#include "models/core/error.h"
#include "models/core/registry.h"
#include "models/scheduler/i_issue_constraint.h"
#include "tests/extend/toy_points.h"

namespace heddle {
namespace {

class ToySingleFile : public IssueConstraint {
 public:
  ToySingleFile(const NoParameters&, Context& context) : owner_{context.ctas} {}
  void probes(const ProbeScope& scope) override { scope.add(probe_); }
  void assembled(std::span<const RegisterClaims* const> by_partition) override {
    if (by_partition.empty()) throw InternalError("an SM without partitions");
  }

  WarpSet blocked(const ConstraintView& view) override {
    check(view);
    WarpSet blocked;
    for (const WarpId warp : view.candidates)
      if (!view.bound.contains(warp) && view.warps[warp.value].cta != line_.front()) blocked.add(warp);
    if (probe_.attached()) probe_.answered({view}, blocked);
    return blocked;
  }
  const char* own_reason() const override { return "single-file"; }
  bool lasting() const override { return true; }
  ConstraintNeeds needs() const override { return {.issues = true, .budgets = true}; }
  LifeSet subscriptions() const override {
    return {Life::cta_begins, Life::issued, Life::warp_ends, Life::cta_ends};
  }

  void cta_begins(const CtaBegins& cta) override {
    if (cta.warps.empty() || cta.registers == 0) throw InternalError("a CTA without warps or registers");
    line_.push_back(cta.slot);
    resident_ += static_cast<int>(cta.warps.size());
  }
  void warp_ends(WarpId) override { --resident_; }
  void cta_ends(CtaSlot slot) override { line_.erase(std::find(line_.begin(), line_.end(), slot)); }
  void issued(const InFlight& item) override {
    if (item.instruction->metadata) throw InternalError("metadata was issued");
    if (resident_ <= 0) throw InternalError("an instruction of a warp that nobody placed");
  }

 private:
  static void check(const ConstraintView& view) {
    const RegisterBudget& banks = view.resources->registers[static_cast<std::size_t>(view.partition)];
    for (std::size_t b = 0; b < banks.free.size(); ++b)
      if (banks.free[b] < 0 || banks.free[b] > banks.capacity[b])
        throw InternalError("more registers are free than there are");
    for (const WarpId warp : view.candidates) {
      const isa::Instruction* const instruction = view.instructions[warp.value];
      if (!instruction) throw InternalError("a candidate without an instruction");
      for (std::size_t unit = 0; unit < view.by_unit.size(); ++unit)
        if (view.by_unit[unit].contains(warp) != (unit == static_cast<std::size_t>(instruction->unit)))
          throw InternalError("a candidate among those of another unit");
    }
  }
  SingleFilePoint::Owner owner_;
  Probe<SingleFilePoint> probe_{owner_};
  std::vector<CtaSlot> line_;
  int resident_ = 0;
};

const Registration<IssueConstraint, ToySingleFile> toy_constraint_entry{"toy-single-file",
                                                                        "one CTA at a time"};

}  // namespace
}  // namespace heddle
