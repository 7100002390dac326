// A plug-in issue constraint: while fewer than `reserve` registers are unclaimed, only the oldest warp that
// could issue may claim registers. Without the parameter `follows`, the constraint does not subscribe to
// claims.

#include <vector>

#include "models/core/registry.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {
namespace {

struct ReserveParameters {
  int reserve = 0;
  bool follows = true;
  void fields(FieldVisitor& v) {
    v.field("reserve", reserve, {0, 65536}, "registers of a partition that are kept");
    v.field("follows", follows, "receives claims");
  }
};

class ToyReserve : public IssueConstraint {
 public:
  ToyReserve(const ReserveParameters& p, Context&) : parameters_(p) {}

  const char* own_reason() const override { return "reserve"; }
  // Returns true, so that a two-level scheduler gives the active slots of blocked warps to other warps. The
  // oldest warp thus gets an active slot.
  bool lasting() const override { return true; }
  ConstraintNeeds needs() const override { return {.issues = true, .holdings = parameters_.follows}; }
  void assembled(std::span<const RegisterClaims* const> by_partition) override {
    claims_.assign(by_partition.begin(), by_partition.end());
  }
  WarpSet blocked(const ConstraintView& view) override {
    const RegisterClaims* claims = claims_[static_cast<std::size_t>(view.partition)];
    if (!view.candidates || !claims) return 0;
    claims->refresh();
    int unclaimed = 0;
    for (const int entries : claims->unclaimed()) unclaimed += entries;
    if (unclaimed >= parameters_.reserve) return 0;
    WarpId oldest = view.candidates.first();
    for (const WarpId warp : view.candidates)
      if (view.warps[warp.value].age < view.warps[oldest.value].age) oldest = warp;
    WarpSet blocked;
    for (const WarpId warp : view.candidates & ~view.bound)
      if (warp != oldest && claims->claims_of(warp, *view.instructions[warp.value]).any()) blocked.add(warp);
    return blocked;
  }

 private:
  ReserveParameters parameters_;
  std::vector<const RegisterClaims*> claims_;
};

const Registration<IssueConstraint, ToyReserve, ReserveParameters> toy_reserve_entry{
    "toy-reserve", "keeps registers unclaimed"};

}  // namespace
}  // namespace heddle
