#pragma once

// A CTA that may need more registers than there are, as the constraint `register-throttle` deals with it: what its
// warps need, have claimed and have in memory, by pool and partition, for spill_choice.h to decide on. Plain.

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
  /// Registers are moved in an SM; without it nothing is moved.
  void moves_by(const RegisterSpiller::Wiring& wiring) { spiller_.emplace(wiring); }
  RegisterSpiller* spiller() { return spiller_ ? &*spiller_ : nullptr; }
  void assembled(std::span<const RegisterClaims* const> by_partition);
  /// A CTA with as many registers a warp, alone; `partition`: of a warp.
  void begin(std::span<const WarpId> warps, std::uint32_t registers,
             const std::function<std::size_t(WarpId)>& partition);
  /// SpillDecision::order_spills.
  SpillOrders order(const SpillView& view);
  /// Requesting warps that do not get what their instructions claim.
  WarpSet held_back(const ConstraintView& view, WarpSet asking);

 private:
  struct Counted {
    RegisterSet held, saved;
  };
  struct Partition {
    const RegisterClaims* claims = nullptr;
    SpillChoice choice;
    std::vector<SpillChoice::Warp> warps;    ///< the CTA's, with their needs
    std::vector<SpillChoice::Warp> running;  ///< those that have not ended, as they stand
    std::vector<Counted> counted;            ///< what `held` and `saved` of these count
    WarpSet of_cta, shown;                   ///< `warps`, `running`
  };
  void tell(Partition& partition);
  static void follow(const Partition& partition, WarpId warp, const RegisterSet& now, RegisterSet& counted,
                     std::vector<int>& counts);
  const std::vector<int>& count(const RegisterClaims& claims, WarpId warp, const RegisterSet& words);

  std::vector<Partition> partitions_;
  SpillView view_;
  std::vector<int> counts_;
  std::optional<RegisterSpiller> spiller_;
};

}  // namespace heddle
