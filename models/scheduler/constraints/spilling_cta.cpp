#include "models/scheduler/constraints/spilling_cta.h"

namespace heddle {

void SpillingCta::assembled(std::span<const RegisterClaims* const> by_partition) {
  partitions_.resize(by_partition.size());
  for (std::size_t p = 0; p < partitions_.size(); ++p) partitions_[p].claims = by_partition[p];
  if (spiller_) spiller_->assembled(by_partition);
}

void SpillingCta::begin(std::span<const WarpId> warps, std::uint32_t registers,
                        const std::function<std::size_t(WarpId)>& partition) {
  RegisterSet all;
  for (std::uint32_t r = 0; r < registers; ++r) all.set(r);
  for (Partition& p : partitions_) {
    p.choice.reset();
    p.warps.clear();
    p.running.clear();
    p.counted.clear();
    p.of_cta = p.shown = {};
  }
  for (const WarpId warp : warps) {
    Partition& p = partitions_[partition(warp)];
    const std::vector<int> none(p.claims->capacity().size(), 0);
    p.warps.push_back({.id = warp, .need = count(*p.claims, warp, all), .held = none, .saved = none});
    p.of_cta.add(warp);
  }
}

SpillOrders SpillingCta::order(const SpillView& view) {
  view_ = view;
  SpillOrders orders;
  for (Partition& p : partitions_) {
    p.claims->refresh();
    update(p);
    const SpillOrders some = p.choice.decide();
    orders.out |= some.out;
    orders.back |= some.back;
  }
  return orders;
}

WarpSet SpillingCta::held_back(const ConstraintView& view, WarpSet requesting) {
  WarpSet held;
  if (!requesting) return held;
  Partition& p = partitions_[static_cast<std::size_t>(view.partition)];
  update(p);
  for (const WarpId warp : requesting) {
    const RegisterSet words = p.claims->claims_of(warp, *view.instructions[warp.value]);
    if (!words.any()) continue;
    if (!p.choice.may_claim(warp, count(*p.claims, warp, words))) held.add(warp);
  }
  return held;
}

const std::vector<int>& SpillingCta::count(const RegisterClaims& claims, WarpId warp,
                                           const RegisterSet& words) {
  counts_.assign(claims.capacity().size(), 0);
  words.for_each([&](std::uint32_t r) { ++counts_[claims.pool_of(warp, RegId(r))]; });
  return counts_;
}

void SpillingCta::update(Partition& p) {
  const WarpSet running = view_.running & p.of_cta;
  if (running != p.shown) {
    p.shown = running;
    p.running.clear();
    for (const SpillChoice::Warp& warp : p.warps)
      if (running.contains(warp.id)) p.running.push_back(warp);
    p.counted.assign(p.running.size(), {});
  }
  for (std::size_t n = 0; n < p.running.size(); ++n) {
    SpillChoice::Warp& warp = p.running[n];
    warp.age = view_.warps[warp.id.value].age;
    warp.where = view_.going.contains(warp.id)    ? SpillChoice::Where::going
                 : view_.out.contains(warp.id)    ? SpillChoice::Where::out
                 : view_.coming.contains(warp.id) ? SpillChoice::Where::coming
                                                  : SpillChoice::Where::in;
    warp.pending = view_.pending.contains(warp.id);
    warp.quiet = view_.quiet.contains(warp.id);
    follow(p, warp.id, p.claims->claimed_by(warp.id), p.counted[n].held, warp.held);
    follow(p, warp.id, view_.saved[warp.id.value], p.counted[n].saved, warp.saved);
  }
  p.choice.set_state(p.claims->capacity(), p.claims->unclaimed(), p.running);
}

void SpillingCta::follow(const Partition& p, WarpId warp, const RegisterSet& now, RegisterSet& counted,
                         std::vector<int>& counts) {
  if (now == counted) return;
  now.without(counted).for_each([&](std::uint32_t r) { ++counts[p.claims->pool_of(warp, RegId(r))]; });
  counted.without(now).for_each([&](std::uint32_t r) { --counts[p.claims->pool_of(warp, RegId(r))]; });
  counted = now;
}

}  // namespace heddle
