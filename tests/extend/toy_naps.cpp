// A plug-in that suspends warps (models/ports/residency.h). Time is divided into periods of `cycles` cycles;
// in every second period, odd warps issue no instruction.

#include <optional>

#include "models/core/registry.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {
namespace {

struct NapsParameters {
  int cycles = 200;
  void fields(FieldVisitor& v) { v.field("cycles", cycles, {1, 100000}, "length of a nap"); }
};

class Naps final : public WarpResidency {
 public:
  Naps(Cycle cycles, int warps, const StatsScope& stats)
      : cycles_(cycles), naps_(stats.add("naps", "naps", "times that warps were held")) {
    reason_ = "nap";
    next_change_ = 0;
    for (WarpId warp(1); warp.value < static_cast<std::uint32_t>(warps); warp.value += 2) odd_.add(warp);
  }

  void step(Cycle now, WarpSet, WarpSet) override {
    const bool naps = now / cycles_ % 2 != 0;
    if (naps && !held_) ++naps_;
    held_ = naps ? odd_ : WarpSet{};
    next_change_ = (now / cycles_ + 1) * cycles_;
  }

 private:
  Cycle cycles_;
  WarpSet odd_;
  Counter& naps_;
};

class ToyNaps : public IssueConstraint {
 public:
  ToyNaps(const NapsParameters& p, Context& context) {
    if (context.host)
      naps_.emplace(static_cast<Cycle>(p.cycles), context.warps, context.stats->scope("toy_naps"));
  }
  WarpSet blocked(const ConstraintView&) override { return {}; }
  WarpResidency* residency() override { return naps_ ? &*naps_ : nullptr; }

 private:
  std::optional<Naps> naps_;
};

const Registration<IssueConstraint, ToyNaps, NapsParameters> toy_naps_entry{"toy-naps",
                                                                            "warps of odd number take naps"};

}  // namespace
}  // namespace heddle
