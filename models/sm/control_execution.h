#pragma once

// Executes control instructions (branches, exits, barriers, waits for copies, traps) at issue, and advances
// the PC of a warp after any instruction. Metadata words of the program never execute; a path that reaches
// metadata continues at the instruction after it.

#include <array>

#include "models/sm/barrier_unit.h"
#include "models/sm/copy_groups.h"
#include "models/sm/instruction_buffers.h"
#include "models/sm/issue_accounts.h"
#include "models/sm/operand_setup.h"
#include "models/sm/readiness.h"
#include "models/sm/warp_table.h"

namespace heddle {

/// Functions of the issue stage that ControlExecution calls when it executes control instructions.
class ControlEffects {
 public:
  virtual ~ControlEffects() = default;
  virtual std::uint32_t register_value(WarpId warp, RegId reg, int lane) = 0;
  virtual void exited(WarpId warp) = 0;
  /// Sends the result of the bar.red at which the warp waited to the destination register of this bar.red.
  virtual void send_vote(WarpId warp, std::uint32_t votes) = 0;
  /// Called when a barrier releases a warp whose registers are in memory. The warp must continue once its
  /// registers are back.
  virtual void barrier_opens(WarpId warp) = 0;
};

class ControlExecution {
 public:
  struct Wiring {
    WarpTable* warps = nullptr;
    Readiness* readiness = nullptr;
    InstructionBuffers* buffers = nullptr;
    IssueAccounts* accounts = nullptr;
    CopyGroups* copies = nullptr;
    ControlEffects* effects = nullptr;
    PlacementInfo place;
    double clock_mhz = 1000;
    int cta_slots = 8;
  };
  explicit ControlExecution(const Wiring& wiring) : w_(wiring), barriers_(wiring.cta_slots) {}

  BarrierUnit& barriers() { return barriers_; }
  const BarrierUnit& barriers() const { return barriers_; }

  void execute(Cycle now, WarpId warp, std::uint32_t pc, LaneMask mask);
  /// Advances the warp to the instruction after `pc`. A path that reaches its reconvergence point waits
  /// there.
  void go_on(WarpId id, std::uint32_t pc) {
    WarpState& warp = w_.warps->state(id);
    const SimtStack::Place next = warp.kernel->place(pc + 1);
    warp.simt.advance_to(next);
    if (warp.simt.apart()) warp.simt.meet(warp.kernel->meets());
    if (warp.simt.pc() != next.pc) redirect(id);
  }
  void redirect(WarpId warp);

 private:
  [[noreturn]] void trapped(WarpId warp, const isa::Instruction& instruction, LaneMask mask) const;
  void branch(WarpId warp, std::uint32_t pc, LaneMask mask);
  static void spin(WarpState& warp, LaneMask mask);
  void exit(Cycle now, WarpId warp, std::uint32_t pc, LaneMask mask);
  std::uint32_t uniform_value(Cycle now, WarpId warp, std::uint32_t pc, int slot);
  void arrive_at_barrier(Cycle now, WarpId warp, std::uint32_t pc, LaneMask mask);
  void wait_for_copies(WarpId warp, std::uint32_t pc, LaneMask mask);
  void release_from_barrier(Cycle now, WarpSet warps);
  void write_reduction(WarpId warp);

  Wiring w_;
  BarrierUnit barriers_;
  /// For each warp, the cycle in which it last arrived at a barrier.
  std::array<Cycle, WarpSet::kCapacity> arrivals_{};
};

}  // namespace heddle
