#pragma once

// CTAs on an SM, and what they take of it: CTA slots, warp slots, threads, shared memory. When a CTA's last instruction has
// completed, all of this is free for placement. It can be used from the next cycle on (free_ended()), so that the order of
// a CTA's end and another one's begin within a cycle does not matter.

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

  /// A CTA takes the lowest free slot. Error if there is none.
  CtaSlot begin(std::uint32_t cta, const isa::KernelLaunch& launch);
  /// A warp of it takes the lowest free warp slot of `with_registers`; Error if there is none.
  WarpId take_warp(CtaSlot slot, WarpSet with_registers);
  /// A warp of it has ended; true for the last one.
  bool warp_ended(CtaSlot slot, const isa::KernelLaunch& launch);
  /// Frees the slots of CTAs that have ended; their warps, in the order of the ends.
  std::vector<WarpId> free_ended();

  bool empty() const { return resident_ == 0; }
  /// Warps so far, which is the age of the next one.
  std::uint64_t warps_placed() const { return placed_; }
  const std::vector<WarpId>& warps(CtaSlot slot) const { return ctas_[slot.value].warps; }
  std::uint32_t number(CtaSlot slot) const { return ctas_[slot.value].number; }
  /// Linear index of the CTA in a slot, -1 if none is there or all its warps have ended.
  std::int64_t cta_in(CtaSlot slot) const {
    const Cta& cta = ctas_[slot.value];
    return cta.warps_left > 0 ? static_cast<std::int64_t>(cta.number) : -1;
  }
  /// Grows whenever cta_in() of a slot changes.
  std::uint64_t changes() const { return 2 * ctas_placed_.value() - static_cast<std::uint64_t>(resident_); }

  /// Warps of CTAs that have ended, whose slots are not free yet.
  WarpSet ended_warps() const;
  /// Subtracts what is taken from an empty SM, registers aside.
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
  std::uint64_t placed_ = 0;  ///< warps
  Counter &ctas_placed_, &warps_started_;
};

}  // namespace heddle
