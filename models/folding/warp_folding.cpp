#include "models/folding/warp_folding.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/folding/make_lane_plans.h"

namespace heddle {

WarpFolding::WarpFolding(const Wiring& w)
    : moves_(w.parameters->moves()), every_cycle_(w.every_cycle), clock_(w.clock), homes_(w.homes) {
  next_change_ = 0;
  const FoldRules rules = w.parameters->rules();
  for (int i = 0; i < w.partitions; ++i) {
    partitions_.push_back(std::make_unique<Partition>(FoldOwner{w.parameters->policy, w.slots}));
    Partition& p = *partitions_.back();
    FoldPolicy::Context context{w.slots};
    p.policy = Registry<FoldPolicy>::instance().make(w.parameters->policy, context);
    p.int_ = p.fp = rules;
    const StatsScope stats = w.stats.scope(fmt::format("partition{}.folding", i));
    p.int_cycles = &stats.add("int_cycles", "cycles", "cycles in which INT instructions fold");
    p.fp_cycles = &stats.add("fp_cycles", "cycles", "cycles in which FP instructions fold");
    p.phases_off =
        &stats.add("phases_off", "phases", "phases without folding, because the phase before was busy");
  }
}

Cycle WarpFolding::steady_cycles() const {
  Cycle least = kNever;
  for (const auto& p : partitions_) least = std::min(least, p->policy->steady_cycles());
  return least;
}

void WarpFolding::begin(Cycle cycle) {
  for (auto& p : partitions_) {
    p->policy->begin(cycle);
    p->int_.fold = p->fp.fold = false;
    p->again = p->accounted = p->began = cycle;
    p->issued = 0;
  }
  next_change_ = cycle;
}

void WarpFolding::warps_start(Cycle now) {
  for (auto& p : partitions_) {
    while (p->again < now) decide(*p, {p->again, 0, 0, p->issued});
    p->accounted = now;
  }
  accounts_ = true;
}

void WarpFolding::warps_end(Cycle now) {
  settle(now);
  accounts_ = false;
}

void WarpFolding::show(const LanePlansView& view) {
  const auto active = [&view](isa::UnitClass unit) {
    return (view.by_unit[static_cast<std::size_t>(unit)] & view.active).count();
  };
  update(view.now, view.partition, active(isa::UnitClass::int_), active(isa::UnitClass::fp));
}

void WarpFolding::update(Cycle now, std::size_t partition, int int_count, int fp_count) {
  Partition& p = *partitions_[partition];
  if (now < p.began) return;
  while (p.again < now) decide(p, {p.again, 0, 0, p.issued});
  if (every_cycle_ || p.again == now) decide(p, {now, int_count, fp_count, p.issued});
  next_change_ = kNever;
  for (const auto& other : partitions_) next_change_ = std::min(next_change_, other->again);
  if (every_cycle_) next_change_ = now + 1;
}

void WarpFolding::decide(Partition& p, const FoldView& view) {
  FoldDecision decision = p.policy->decide(view);
  if (p.probe.attached()) p.probe.answered({view, view.now == p.began}, decision);
  account(p, view.now);
  *p.phases_off += accounts_ && decision.phase_off;
  p.int_.fold = decision.int_;
  p.fp.fold = decision.fp;
  p.again = decision.again;
}

void WarpFolding::account(Partition& p, Cycle cycle) {
  if (!accounts_ || cycle <= p.accounted) return;
  if (p.int_.fold) *p.int_cycles += cycle - p.accounted;
  if (p.fp.fold) *p.fp_cycles += cycle - p.accounted;
  p.accounted = cycle;
}

void WarpFolding::settle(Cycle cycle) {
  if (!accounts_) return;
  for (auto& p : partitions_) account(*p, cycle);
}

void WarpFolding::probes(std::size_t partition, const ProbeScope& of_partition) {
  Partition& p = *partitions_[partition];
  of_partition.part("folding", fmt::format("warp folding (fold policy {})", choice_name(p.owner.policy)))
      .add(p.probe);
}

void WarpFolding::check(Cycle longest_wait) const {
  const Cycle steady = steady_cycles();
  if (steady > longest_wait) return;
  throw Error(
      partitions_.front()->owner.policy.where(),
      fmt::format("folding may change every {} cycles, but gated lanes need up to {} cycles to be on "
                  "together: instructions could wait for ever",
                  steady, longest_wait),
      fmt::format("phases with at least {} cycles without a change, or shorter break-even and wake-up times",
                  longest_wait + 1));
}

std::unique_ptr<LanePlans> make_lane_plans(const FoldingParameters& parameters, const LanePlansContext& c) {
  if (!parameters.moves_threads()) return std::make_unique<LanePlans>();
  return std::make_unique<WarpFolding>(WarpFolding::Wiring{
      &parameters, c.partitions, c.slots, c.clock->every_cycle(), c.stats, c.clock, c.homes});
}

}  // namespace heddle
