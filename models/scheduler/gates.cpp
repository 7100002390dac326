// Models GATES, the gating-aware two-level scheduler (Abdel-Majeed 2016, 3.3). The scheduler groups its
// active warps by the type of their next instruction (INT, FP, SFU, LD/ST). Issue slots go to INT or to FP as
// long as warps of this type are ready. The units of the other type then stay idle long enough to be gated.
//
// The paper does not define these rules of the model:
// - Control instructions (branches, barriers, exits) issue before all types, because they need no execution
//   unit.
// - Active warps that wait for a long-latency result are not counted. In the paper, such warps have already
//   left the active set.
// - Two issue slots go to two different warps, because the paper's counters count one instruction of each
//   warp. With pair_issue, slots that are still free take second instructions of the same warps, of any type.
// - An instruction wakes gated units of its type only if a slot is left after all types of higher priority.
//   The paper's scheduler is "allowed to issue a ready instruction to the gated unit and trigger a wake up".

#include <algorithm>

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/scheduler/gates.h"

namespace heddle {
namespace {

using isa::UnitClass;

class Gates : public SchedulerPolicy {
 public:
  Gates(const GatesParameters& p, SchedulerContext& context,
        std::unique_ptr<WarpPreference> preference = nullptr)
      : p_(with_rule(p)),
        width_(context.issue_width),
        set_(p.set.active_warps),
        order_(p.set.inner),
        priority_(make_gates_priority(p_.priority)),
        preference_(std::move(preference)) {}

  // Chooses the warps that issue in this cycle:
  //  1. Update the active set.
  //  2. Pick control and matrix instructions, before all instruction types that have a priority (assumed for
  //     matrix instructions, which the paper's GPU does not have).
  //  3. Pick INT, FP, SFU and LD/ST instructions, type by type in the order of priority.
  //  4. Pick second instructions of the same warps.
  //  5. Compute the warps that would also issue if their units were awake.
  bool choose(const SchedulerView& view, PickList& picks) override {
    const bool changed = set_.update(view);
    WarpSet ready = view.ready & set_.issuing();
    if (preference_) first_ = preference_->first(view, set_.issuing());

    while (const WarpSet first = ready & (of(view, UnitClass::control) | of(view, UnitClass::matrix))) {
      if (picks.size() == width_) break;
      pick(first, ready, view, picks);
    }
    const int left = width_ - picks.size();
    const GatesInputs in = inputs(view, left);
    GatesOutputs out = priority_->step(in);
    if (probe_.attached()) probe_.answered(in, out);
    for (int i = 0; i < out.count; ++i)
      if (const WarpSet warps = ready & of(view, out.slots[static_cast<std::size_t>(i)]))
        pick(warps, ready, view, picks);
    if (p_.set.pair_issue) add_second_instructions(view, picks);
    wanting_ = wanting(view, out, left, view.ready & set_.issuing() & ~ready);
    return changed;
  }

  bool issues_pairs() const override { return p_.set.pair_issue; }
  WarpSet active() const override { return set_.active(); }
  WarpSet leaving() const override { return set_.leaving(); }
  WarpSet wanting(const SchedulerView&) const override { return wanting_; }
  WarpSet able(const SchedulerView&) const override { return wanting_; }

  void probes(const ProbeScope& scope) override {
    scope.add(probe_);
    if (preference_) preference_->probes(scope);
  }

  void on_kernel_begin(Cycle now) override {
    if (preference_) preference_->begin(now);
  }

  void on_warp_end(WarpId warp) override {
    set_.remove(warp);
    order_.remove(warp);
  }

 private:
  static GatesParameters with_rule(GatesParameters p) {
    p.priority.switch_on_no_ready = p.switch_when_empty == "ready";
    return p;
  }
  static WarpSet of(const SchedulerView& view, UnitClass unit) {
    return view.by_unit[static_cast<std::size_t>(unit)];
  }

  static int number_of(WarpSet warps) { return warps ? warps.count() : 0; }

  GatesInputs inputs(const SchedulerView& view, int slots) const {
    GatesInputs in;
    in.now = view.now;
    in.slots = slots;
    const WarpSet issuing = set_.issuing();
    for (std::size_t u = 0; u < in.ready.size(); ++u) {
      in.awake[u] = view.units[u].takes != 0;
      const WarpSet counted = in.awake[u] ? view.ready : view.ready | view.unit_unavailable;
      in.ready[u] = number_of(view.by_unit[u] & issuing & counted);
    }
    for (std::size_t u = 0; u < in.active.size(); ++u) {
      in.active[u] = number_of(view.by_unit[u] & issuing);
      in.blackout[u] = view.units[u].off == view.units[u].all && view.units[u].all != 0;
    }
    return in;
  }

  void pick(WarpSet among, WarpSet& ready, const SchedulerView& view, PickList& picks) {
    const WarpId warp = order_.next(among & first_ ? among & first_ : among, picks.size() == 0, view);
    picks.add(warp);
    ready &= ~bit_of(warp);
  }

  void add_second_instructions(const SchedulerView& view, PickList& picks) const {
    const int heads = picks.size();
    for (int i = 0; i < heads && picks.size() < width_; ++i) {
      const WarpId warp = (picks.begin() + i)->warp;
      if (view.ready_second.contains(warp)) picks.add(warp);
    }
  }

  /// Returns the warps that issue (`issuing`), and the warps that would issue if their units were awake. Of
  /// the latter, a type gets only the issue slots that its awake units and types of higher priority leave
  /// free. Matrix instructions have the highest priority.
  WarpSet wanting(const SchedulerView& view, const GatesOutputs& out, int left, WarpSet issuing) const {
    WarpSet wanting = issuing;
    if (!(view.unit_unavailable & set_.issuing())) return wanting;
    const auto add_gated = [&](UnitClass unit) {
      WarpSet gated = of(view, unit) & view.unit_unavailable & set_.issuing();
      for (int n = 0; n < left && gated; ++n) {
        const WarpId warp = (gated & first_ ? gated & first_ : gated).first();
        wanting.add(warp);
        gated &= ~bit_of(warp);
      }
    };
    add_gated(UnitClass::matrix);
    for (const UnitClass unit : gates_order(out.highest)) {
      left -= static_cast<int>(std::count(out.slots.begin(), out.slots.begin() + out.count, unit));
      add_gated(unit);
    }
    return wanting;
  }

  GatesParameters p_;
  int width_;
  ActiveSet set_;
  InnerOrder order_;
  std::unique_ptr<GatesPriority> priority_;
  Probe<GatesPoint> probe_{p_.priority};
  WarpSet wanting_ = 0;
  std::unique_ptr<WarpPreference> preference_;
  WarpSet first_ = WarpSet::all();
};

const Registration<SchedulerPolicy, Gates, GatesParameters> gates_entry{
    "gates",
    "two-level; issues one instruction type while warps with this type are ready",
    {.properties = {"announces-descheduling"}}};

const Arrays<SchedulerPolicy> gates_arrays{
    "gates",
    {{"active and pending warps", "warps", "2", "1R1W", {}},
     {"counters of waiting warps by type", "4 * schedulers", "6", "1R1W", {"execution.gating_counters"}}}};

}  // namespace

std::unique_ptr<SchedulerPolicy> make_gates(const GatesParameters& parameters, SchedulerContext& context,
                                            std::unique_ptr<WarpPreference> preference) {
  return std::make_unique<Gates>(parameters, context, std::move(preference));
}

}  // namespace heddle
