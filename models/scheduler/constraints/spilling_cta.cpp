#include "models/scheduler/constraints/spilling_cta.h"

namespace heddle {

void SpillingCta::assembled(std::span<const RegisterClaims* const> by_partition) {
  partitions_.resize(by_partition.size());
  for (std::size_t p = 0; p < partitions_.size(); ++p) partitions_[p].claims = by_partition[p];
}

void SpillingCta::begin(std::span<const WarpId> warps, std::uint32_t registers,
                        const std::function<std::size_t(WarpId)>& partition) {
  RegisterSet all;
  for (std::uint32_t r = 0; r < registers; ++r) all.set(r);
  for (Partition& p : partitions_) {
    p.choice.forget();
    p.warps.clear();
  }
  for (const WarpId warp : warps) {
    Partition& p = partitions_[partition(warp)];
    p.warps.push_back({.id = warp, .need = count(*p.claims, warp, all), .held = {}, .saved = {}});
  }
}

SpillOrders SpillingCta::order(const SpillView& view) {
  view_ = view;
  SpillOrders orders;
  for (Partition& p : partitions_) {
    p.claims->refresh();
    tell(p);
    const SpillOrders some = p.choice.decide();
    orders.out |= some.out;
    orders.back |= some.back;
  }
  return orders;
}

WarpSet SpillingCta::held_back(const ConstraintView& view, WarpSet asking) {
  WarpSet held;
  if (!asking) return held;
  Partition& p = partitions_[static_cast<std::size_t>(view.partition)];
  tell(p);
  for (const WarpId warp : asking) {
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

void SpillingCta::tell(Partition& p) {
  p.running.clear();
  for (const SpillChoice::Warp& known : p.warps) {
    if (!view_.running.contains(known.id)) continue;
    SpillChoice::Warp& warp = p.running.emplace_back(known);
    warp.age = view_.warps[known.id.value].age;
    warp.where = view_.going.contains(known.id)    ? SpillChoice::Where::going
                 : view_.out.contains(known.id)    ? SpillChoice::Where::out
                 : view_.coming.contains(known.id) ? SpillChoice::Where::coming
                                                   : SpillChoice::Where::in;
    warp.pending = view_.pending.contains(known.id);
    warp.quiet = view_.quiet.contains(known.id);
    warp.held = count(*p.claims, known.id, p.claims->claimed_by(known.id));
    warp.saved = count(*p.claims, known.id, view_.saved[known.id.value]);
  }
  p.choice.tell(p.claims->capacity(), p.claims->unclaimed(), p.running);
}

}  // namespace heddle
