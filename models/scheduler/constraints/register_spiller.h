#pragma once

// Models register spilling by hardware (Jeon 2015, 8.1). If a CTA may need more registers than the SM has, some
// of its warps give up their registers while the CTA runs. An issue constraint decides which warps are spilled
// and restored (spill_orders.h). This class carries out the decision.
//
// A warp changes its state as follows:
// - in -> stopping: The warp only finishes its current strand, because values within a strand would be lost.
//   A strand is the sequence of instructions between two points at which a warp may be descheduled.
// - stopping -> writing: No instruction of the warp is in flight. The warp issues stores of all its claimed
//   registers. Each register is released after its read.
// - writing -> out: All stores are sent, and the warp claims no register.
// - out -> reading: The constraint orders that the warp is restored. Loads claim and allocate the registers
//   again.
// - reading -> in: The results of all loads are visible. The warp continues with its buffered instructions.
//
// Spilled values take the path of any store or load, with its timing and counters. Stores and loads move all
// 32 lanes, because inactive lanes must keep their values. Predicates stay in the SM. A barrier may open
// while the warp is out. If the barrier instruction writes a register (bar.red), the write waits until the
// warp is back.

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
  void step(Cycle now, WarpSet bound, WarpSet active) override;
  void issued_outside(WarpId warp, std::uint32_t pc) override;
  void settle(Cycle cycle) override;
  void check_conservation(const std::string& owner) const override;

 private:
  bool spills(const isa::KernelLaunch& launch) const;
  /// Processes the events since the last cycle. Returns the state from which spills are decided. `bound`:
  /// warps that must not be descheduled yet.
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
  std::vector<const RegisterClaims*> claims_;
  std::vector<WarpSet> slots_;
  std::vector<RegisterSet> saved_;
  std::vector<WarpView> views_;
  std::uint64_t placed_ = 0;
  std::optional<SpillCode> spill_code_;
  SpillView view_;
  WarpSet stopping_, writing_;
  std::vector<std::uint32_t> code_;
  Cycle settled_to_ = 0;
  Counter &spills_, &restores_, &registers_out_, &registers_back_, &bytes_, &away_cycles_;
};

}  // namespace heddle
