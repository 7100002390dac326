#pragma once

// Register spilling by hardware (Jeon 2015, 8.1): while a CTA runs that may need more registers than there
// are, warps give up theirs. A constraint says which ones go and which come back
// (IssueConstraint::order_spills); this is how.
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

#include <span>
#include <string>
#include <vector>

#include "models/core/stats.h"
#include "models/ports/warp_homes.h"
#include "models/scheduler/constraints/spill_code.h"
#include "models/scheduler/i_issue_constraint.h"

namespace heddle {

/// What the spiller asks of the SM, and has it do with its warps.
class SpillHost {
 public:
  /// By warp slot: CTA, age.
  virtual std::span<const WarpView> views() const = 0;
  /// Resident, not exited.
  virtual WarpSet running() const = 0;
  /// Waits at a barrier, with its registers or without.
  virtual bool at_barrier(WarpId warp) const = 0;
  /// Nothing is on its way to it or from it, and it will ask for nothing by itself.
  virtual bool quiet(WarpId warp) const = 0;
  /// It has nothing left of what it was given to execute.
  virtual bool executed(WarpId warp) const = 0;
  virtual const SpillCode& code(WarpId warp) const = 0;

  /// The warp stops executing its own instructions, and comes back to where it stood.
  virtual void leaves(WarpId warp) = 0;
  virtual void comes_back(WarpId warp) = 0;
  /// It executes these instructions, in the place of its own or of what it was given before.
  virtual void execute(WarpId warp, std::span<const std::uint32_t> instead) = 0;
  /// There is something to do in the next cycle.
  virtual void wake() = 0;
  /// What has been written out is released, after its read.
  virtual void release(WarpId warp, std::uint32_t reg) = 0;

 protected:
  ~SpillHost() = default;
};

class RegisterSpiller {
 public:
  struct Wiring {
    SpillHost* host = nullptr;
    WarpHomes homes;
    int warps = 48;
    StatsScope stats;
  };
  explicit RegisterSpiller(const Wiring& wiring);

  void assembled(std::span<const RegisterClaims* const> by_partition) {
    claims_.assign(by_partition.begin(), by_partition.end());
  }
  /// What has happened since the last cycle; the state that orders are given by. `bound`: by their strands.
  const SpillView& look(Cycle now, WarpSet bound);
  void obey(const SpillOrders& orders);
  /// Warps that execute nothing of their own, nor what moves their registers.
  WarpSet idle() const { return stopping_ | view_.out; }
  /// The warp issued the instruction at `pc` of what stands beside its program.
  void issued(WarpId warp, std::uint32_t pc);

  void settle(Cycle cycle);
  /// Throws InternalError if registers were written out that are neither back nor in memory.
  void check_conservation(const std::string& owner) const;

 private:
  const RegisterSet& claimed(WarpId warp) const { return claims_[homes_.partition(warp)]->claimed_by(warp); }
  void write_out(WarpId warp);
  void read_back(WarpId warp);
  void resume(WarpId warp);
  void execute(WarpId warp, bool stores);

  SpillHost* host_;
  WarpHomes homes_;
  std::vector<const RegisterClaims*> claims_;  ///< by partition
  std::vector<RegisterSet> saved_;             ///< by warp
  SpillView view_;
  WarpSet stopping_, writing_;
  std::vector<std::uint32_t> code_;
  Cycle settled_to_ = 0;
  Counter &spills_, &restores_, &registers_out_, &registers_back_, &bytes_, &away_cycles_;
};

}  // namespace heddle
