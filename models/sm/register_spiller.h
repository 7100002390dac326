#pragma once

// Register spilling by hardware (001, 8.1): while a CTA runs that may need more registers than there are, warps give
// up theirs. A constraint says which ones go and which come back (IssueConstraint::order_spills); this is how.
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
#include "models/ports/resource_view.h"
#include "models/scheduler/i_issue_constraint.h"
#include "models/sm/instruction_buffers.h"
#include "models/sm/readiness.h"
#include "models/sm/register_releases.h"
#include "models/sm/warp_table.h"

namespace heddle {

class RegisterSpiller {
 public:
  struct Wiring {
    Clock* clock = nullptr;
    WarpTable* warps = nullptr;
    InstructionBuffers* buffers = nullptr;
    Readiness* readiness = nullptr;
    RegisterReleases* releases = nullptr;
    StatsScope stats;
  };
  explicit RegisterSpiller(const Wiring& wiring);

  void assembled(std::span<const RegisterClaims* const> by_partition) {
    claims_.assign(by_partition.begin(), by_partition.end());
  }
  /// What has happened since the last cycle; the state that orders are given by. `bound`: by their strands.
  const SpillView& look(WarpSet bound);
  void obey(const SpillOrders& orders);
  /// Warps that execute nothing of their own, nor what moves their registers.
  WarpSet idle() const { return stopping_ | view_.out; }

  /// The warp issued the instruction at `pc` of what stands beside its program.
  void issued(WarpId warp, std::uint32_t pc);
  /// The barrier opens at which the warp waited.
  void barrier_opens(WarpId warp) { after_[warp.value].wait = WarpWait::none; }
  /// What it has then still to write into a register: how many lanes voted.
  void owe(WarpId warp, std::uint32_t votes) { after_[warp.value].votes = votes; }
  /// Warps that came back in the last look() with something owed; each once.
  std::optional<std::pair<WarpId, std::uint32_t>> next_owed();

  void settle(Cycle cycle);
  /// Throws InternalError if registers were written out that are neither back nor in memory.
  void check_conservation(const std::string& owner) const;

 private:
  /// What a warp that is away goes on with.
  struct After {
    WarpWait wait = WarpWait::none;
    std::optional<std::uint32_t> votes;
  };
  const RegisterSet& claimed(WarpId warp) const {
    return claims_[w_.warps->progress(warp).partition]->claimed_by(warp);
  }
  bool quiet(WarpId warp) const;
  bool executed(WarpId warp) const;
  void write_out(WarpId warp);
  void read_back(WarpId warp);
  void resume(WarpId warp);
  void execute(WarpId warp, bool stores);

  Wiring w_;
  std::vector<const RegisterClaims*> claims_;  ///< by partition
  std::vector<RegisterSet> saved_;             ///< by warp
  std::vector<After> after_;
  std::vector<std::pair<WarpId, std::uint32_t>> owed_;
  SpillView view_;
  WarpSet stopping_, writing_;
  std::vector<std::uint32_t> code_;
  Cycle settled_to_ = 0;
  Counter &spills_, &restores_, &registers_out_, &registers_back_, &bytes_, &away_cycles_;
};

}  // namespace heddle
