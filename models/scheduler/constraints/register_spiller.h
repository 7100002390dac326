#pragma once

// Models register spilling by hardware (Jeon 2015, 8.1). While a CTA runs that may need more registers than
// the SM has, some warps give up their registers. A constraint decides which warps are spilled and restored
// (spill_orders.h). This class carries out the decision (contract: models/ports/residency.h).
//
// States of a warp:
//   - in -> stopping: The warp issues no more instructions, except those that its strand binds.
//   - stopping -> writing: No instruction of the warp is in flight. The warp issues stores (spill_code.h) in
//     place of its own instructions. They write all claimed registers. Each register is released after its
//     read, through every stage of the register path.
//   - writing -> out: All stores are sent, and the warp claims no register.
//   - out -> reading: The constraint orders the warp back. Loads claim and map the registers again.
//   - reading -> in: All loads are visible. The warp continues with its buffered instructions.
//
// Values take the path of every load and store, with its time and counters: collectors, load/store unit,
// caches, memory, result bus. All 32 lanes move, so that lanes outside a partial write and registers never
// written keep their contents. Predicates are not in the register file and stay in the SM. A barrier may open
// meanwhile. The register write of a bar.red then waits until the warp is back.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/core/stats.h"
#include "models/ports/residency.h"
#include "models/ports/resource_view.h"
#include "models/ports/warp_homes.h"
#include "models/scheduler/constraints/spill_code.h"
#include "models/scheduler/constraints/spill_orders.h"

namespace heddle {

class RegisterSpiller final : public WarpResidency {
 public:
  struct Wiring {
    WarpHost* host = nullptr;
    SpillDecision* decision = nullptr;
    WarpHomes homes;
    int warps = 48;
    StatsScope stats;
  };
  explicit RegisterSpiller(const Wiring& wiring);

  void assembled(std::span<const RegisterClaims* const> by_partition) {
    claims_.assign(by_partition.begin(), by_partition.end());
  }

  LifeSet subscriptions() const override { return {Life::warp_begins}; }
  void warp_begins(const WarpBegins& warp) override { views_[warp.warp.value].age = placed_++; }

  std::uint32_t local_bytes(const isa::KernelLaunch& launch) const override;
  std::shared_ptr<const isa::Program> load(const isa::KernelLaunch& launch) override;
  void step(Cycle now, WarpSet bound) override;
  void issued_outside(WarpId warp, std::uint32_t pc) override;
  void settle(Cycle cycle) override;
  void check_conservation(const std::string& owner) const override;

 private:
  /// True if the CTAs of the launch may need more registers than the SM has.
  bool spills(const isa::KernelLaunch& launch) const;
  /// Applies the events since the last cycle and returns the state for the decision. `bound`: warps that
  /// their strands bind.
  const SpillView& look(Cycle now, WarpSet bound);
  void obey(const SpillOrders& orders);
  const RegisterSet& claimed(WarpId warp) const { return claims_[homes_.partition(warp)]->claimed_by(warp); }
  void write_out(WarpId warp);
  void read_back(WarpId warp);
  void resume(WarpId warp);
  void execute(WarpId warp, bool stores);

  WarpHost* host_;
  SpillDecision* decision_;
  WarpHomes homes_;
  std::vector<const RegisterClaims*> claims_;  ///< by partition
  std::vector<WarpSet> slots_;                 ///< by partition
  std::vector<RegisterSet> saved_;             ///< by warp
  std::vector<WarpView> views_;                ///< by warp
  std::uint64_t placed_ = 0;                   ///< warps placed so far, the age of the next one
  std::optional<SpillCode> spill_code_;        ///< spill code of the kernel, if the kernel spills
  SpillView view_;
  WarpSet stopping_, writing_;
  std::vector<std::uint32_t> code_;
  Cycle settled_to_ = 0;
  Counter &spills_, &restores_, &registers_out_, &registers_back_, &bytes_, &away_cycles_;
};

}  // namespace heddle
