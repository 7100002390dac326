#include "models/folding/warp_folding.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

WarpFolding::WarpFolding(const Wiring& w)
    : in_force_(w.parameters->moves_threads()), every_cycle_(w.every_cycle) {
  if (!in_force_) return;
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
        &stats.add("phases_off", "phases", "phases without folding, since the one before was busy");
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
  next_ = in_force_ ? cycle : kNever;
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

void WarpFolding::update(Cycle now, std::size_t partition, int int_count, int fp_count) {
  Partition& p = *partitions_[partition];
  if (now < p.began) return;
  while (p.again < now) decide(p, {p.again, 0, 0, p.issued});
  if (every_cycle_ || p.again == now) decide(p, {now, int_count, fp_count, p.issued});
  next_ = kNever;
  for (const auto& other : partitions_) next_ = std::min(next_, other->again);
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

}  // namespace heddle
