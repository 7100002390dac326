#pragma once

// Laws of the hardware that runs with `watch.check` = `on` verify from events, independently of the hardware's own
// counters. The comparison of outputs does not show these faults, because they change only time, placement or
// energy.
//
// - Reads before later writes: an instruction that writes a register issues only after older instructions of its
//   warp hold the register's old value. If operands have no scoreboard, only the second half of
//   the law applies: no result becomes visible before an older read of its register holds the value. If banks order
//   such accesses (RegisterFileParameters::orders_writes_after_reads), the law does not apply, because a bank may
//   write while an old value is on its way to the collector; the values then show a fault.
// - Ranks of pilot warps (Abdel-Majeed 2016, 6.3.1): the registers that the pilot profile ranks are the most
//   accessed ones among the accesses of the pilot warp that the stage `swapping` has passed to the stage below.
// - Balances: the sums that register-file stages declare (StageBalance) hold at the end of the run, for example one
//   port of the renaming table for each look-up and each announced result.

#include <memory>
#include <vector>

#include "models/gpu/gpu.h"
#include "testbench/run/read_order_law.h"

namespace heddle::run {

class RunLaws {
 public:
  /// Subscribes to events of all SMs. Must be called before the first cycle; `gpu` must outlive this object. A
  /// violation throws InternalError in the cycle in which it happens.
  explicit RunLaws(Gpu& gpu);
  ~RunLaws();

  /// Checks the balances. Must be called when the last launch has ended. Throws InternalError.
  void check_balances() const;

 private:
  class PilotRanks;

  Gpu* gpu_;
  std::vector<std::unique_ptr<ReadOrderLaw>> reads_;
  std::vector<std::unique_ptr<PilotRanks>> ranks_;
};

}  // namespace heddle::run
