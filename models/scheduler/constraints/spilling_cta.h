#pragma once

// State of a CTA for the issue constraint `register-throttle`. The CTA may need more registers than exist. The
// class counts the registers that each warp of the CTA needs, has claimed and has in memory. From these counts,
// spill_choice.h decides on spills.

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "models/ports/resource_view.h"
#include "models/scheduler/constraints/register_spiller.h"
#include "models/scheduler/constraints/spill_choice.h"
#include "models/scheduler/constraints/spill_orders.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

class SpillingCta {
 public:
  /// Enables register spilling. Without this call, no register is moved to memory.
  void moves_by(const RegisterSpiller::Wiring& wiring) { spiller_.emplace(wiring); }
  RegisterSpiller* spiller() { return spiller_ ? &*spiller_ : nullptr; }
  void assembled(std::span<const RegisterClaims* const> by_partition);
  /// Starts a CTA that runs alone on the SM. `registers`: number of registers of each warp. `partition`:
  /// returns the partition of a warp.
  void begin(std::span<const WarpId> warps, std::uint32_t registers,
             const std::function<std::size_t(WarpId)>& partition);
  SpillOrders order(const SpillView& view);
  /// Returns the warps of `requesting` that must not issue, because they may not claim the registers of their
  /// next instruction.
  WarpSet held_back(const ConstraintView& view, WarpSet requesting);

 private:
  struct Counted {
    RegisterSet held, saved;
  };
  struct Partition {
    const RegisterClaims* claims = nullptr;
    SpillChoice choice;
    std::vector<SpillChoice::Warp> warps;
    std::vector<SpillChoice::Warp> running;
    std::vector<Counted> counted;
    WarpSet of_cta, shown;
  };
  void update(Partition& partition);
  static void follow(const Partition& partition, WarpId warp, const RegisterSet& now, RegisterSet& counted,
                     std::vector<int>& counts);
  const std::vector<int>& count(const RegisterClaims& claims, WarpId warp, const RegisterSet& words);

  std::vector<Partition> partitions_;
  SpillView view_;
  std::vector<int> counts_;
  std::optional<RegisterSpiller> spiller_;
};

}  // namespace heddle
