#pragma once

// Models the table of resident CTAs of an SM and the resources that they take: CTA slots, warp slots, threads
// and shared memory. Resources of an ended CTA can be used from the next cycle on, so that results are
// independent of module order.

#include <cstdint>
#include <vector>

#include "models/core/ids.h"
#include "models/core/stats.h"
#include "models/core/warp_set.h"
#include "models/isa/launch.h"
#include "models/sm/sm_resources.h"

namespace heddle {

class CtaTable {
 public:
  CtaTable(int slots, int warps, const StatsScope& stats);

  /// Gives a new CTA the lowest free CTA slot. Throws Error if no slot is free.
  CtaSlot begin(Cycle now, std::uint32_t cta, const isa::KernelLaunch& launch);
  /// Gives a warp of the CTA the lowest free warp slot in `with_registers` (slots whose partition has enough
  /// registers). Throws Error if no such slot is free.
  WarpId take_warp(CtaSlot slot, WarpSet with_registers);
  bool warp_ended(Cycle now, CtaSlot slot, const isa::KernelLaunch& launch);
  /// Counts cycles with a resident CTA up to, but not including, `cycle`.
  void settle(Cycle cycle);
  std::vector<WarpId> free_ended();

  bool empty() const { return resident_ == 0; }
  std::uint64_t warps_placed() const { return placed_; }
  const std::vector<WarpId>& warps(CtaSlot slot) const { return ctas_[slot.value].warps; }
  std::uint32_t number(CtaSlot slot) const { return ctas_[slot.value].number; }
  /// Returns the linear grid index of the CTA in a slot; -1: the slot is empty, or all warps of its CTA have
  /// ended.
  std::int64_t cta_in(CtaSlot slot) const {
    const Cta& cta = ctas_[slot.value];
    return cta.warps_left > 0 ? static_cast<std::int64_t>(cta.number) : -1;
  }
  std::uint64_t changes() const { return 2 * ctas_placed_.value() - static_cast<std::uint64_t>(resident_); }

  /// Returns the warp slots that belong to ended CTAs and are not free yet.
  WarpSet ended_warps() const;
  /// Subtracts the resources of the resident CTAs, except registers, from `resources`. The caller must pass
  /// the resources of the empty SM.
  void subtract(SmResources& resources) const;

 private:
  struct Cta {
    bool used = false;
    std::uint32_t number = 0;
    std::uint32_t warps_left = 0;
    std::vector<WarpId> warps;
  };

  std::vector<Cta> ctas_;
  int resident_ = 0;
  WarpSet free_warps_;
  std::vector<CtaSlot> ended_;
  int threads_ = 0;
  std::uint32_t shared_bytes_ = 0;
  std::uint64_t placed_ = 0;
  Cycle busy_from_ = 0;
  Counter &ctas_placed_, &warps_started_, &busy_cycles_;
};

}  // namespace heddle
