#pragma once

// State of a CTA that may need more registers than exist, for the constraint `register-throttle`. Counts what
// its warps need, have claimed and have in memory, by pool and partition. spill_choice.h decides on these
// counts. Plain C++.

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
  /// Enables spilling. Without this call, no register is moved.
  void moves_by(const RegisterSpiller::Wiring& wiring) { spiller_.emplace(wiring); }
  RegisterSpiller* spiller() { return spiller_ ? &*spiller_ : nullptr; }
  void assembled(std::span<const RegisterClaims* const> by_partition);
  /// Starts a CTA that runs alone, with this number of registers a warp. `partition` returns the partition of
  /// a warp.
  void begin(std::span<const WarpId> warps, std::uint32_t registers,
             const std::function<std::size_t(WarpId)>& partition);
  /// Decides for all partitions; see SpillDecision::order_spills.
  SpillOrders order(const SpillView& view);
  /// Returns the warps of `requesting` that may not claim what their instructions need.
  WarpSet held_back(const ConstraintView& view, WarpSet requesting);

 private:
  struct Counted {
    RegisterSet held, saved;
  };
  struct Partition {
    const RegisterClaims* claims = nullptr;
    SpillChoice choice;
    std::vector<SpillChoice::Warp> warps;    ///< warps of the CTA with their needs
    std::vector<SpillChoice::Warp> running;  ///< warps that have not ended, with their current state
    std::vector<Counted> counted;            ///< registers that `held` and `saved` of `running` count
    WarpSet of_cta, shown;                   ///< sets of the warps in `warps` and in `running`
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
