#pragma once

// Register spilling by hardware (Jeon 2015, 8.1): while a CTA runs that may need more registers than there
// are, warps give up theirs. A constraint says which ones go and which come back
// (spill_orders.h); this is how (contract: models/ports/residency.h).
//
//   in       -> stopping  the warp issues nothing more, but what its strand binds
//   stopping -> writing   once nothing of it is in flight: whatever it has claimed is written out by stores that it
//                         issues in the place of its own instructions (spill_code.h); each register is released
//                         after its read, through every stage of the path
//   writing  -> out       all stores are sent, and nothing is claimed any more
//   out      -> reading   when it is ordered back: loads, which claim and map the registers anew
//   reading  -> in        all loads are visible; the warp goes on where it stood, with its buffered instructions
//
// Values travel the way of every load and store: collectors, load/store unit, caches, memory, result bus, with
// their time and counters, all 32 lanes, so that lanes outside a partial write and registers never written come
// back as they were. Predicates lie with the warp's path, not in the register file, and stay. A barrier may open
// meanwhile; what bar.red writes into a register then waits until the warp is back.

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

  LifeSet hears() const override { return {Life::warp_begins}; }
  void warp_begins(const WarpBegins& warp) override { views_[warp.warp.value].age = placed_++; }

  std::uint32_t local_bytes(const isa::KernelLaunch& launch) const override;
  std::shared_ptr<const isa::Program> load(const isa::KernelLaunch& launch) override;
  void step(Cycle now, WarpSet bound) override;
  void issued_beside(WarpId warp, std::uint32_t pc) override;
  void settle(Cycle cycle) override;
  void check_conservation(const std::string& owner) const override;

 private:
  /// The launch has CTAs that may need more registers than there are.
  bool spills(const isa::KernelLaunch& launch) const;
  /// Events since the last cycle, and the state on which orders depend. `bound`: warps bound by their
  /// strands.
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
  std::uint64_t placed_ = 0;                   ///< warps so far
  std::optional<SpillCode> spill_code_;        ///< of the kernel, where it spills
  SpillView view_;
  WarpSet stopping_, writing_;
  std::vector<std::uint32_t> code_;
  Cycle settled_to_ = 0;
  Counter &spills_, &restores_, &registers_out_, &registers_back_, &bytes_, &away_cycles_;
};

}  // namespace heddle
