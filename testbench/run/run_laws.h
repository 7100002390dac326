#pragma once

// Laws of the hardware. A run with `watch.check` = `on` verifies these laws from events, independently of the
// hardware's own counters. A violation changes only time, placement or energy, so the comparison of outputs does not
// show it.
//
// - Reads before later writes: an instruction that writes a register issues only after older instructions of
//   its warp hold the register's old value. If operands have no scoreboard, the law is weaker: a result
//   becomes visible only after older reads of its register hold the old value. If banks order such accesses
//   (RegisterFileParameters::orders_writes_after_reads), the law does not apply, because a bank may write
//   while an old value is on its way to the collector. A fault in this order then shows as a wrong value.
// - Ranks of pilot warps (Abdel-Majeed 2016, 6.3.1): the registers that the pilot profile ranks are the most
//   accessed registers. The check of this law counts the accesses of the pilot warp that the stage `swapping`
//   passes to the stage below.
// - Balances: the equations between counters that register-file stages declare (StageBalance) hold at the end
//   of the run. For example, the number of used ports of the renaming table is the number of look-ups plus
//   the number of announced results.

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

  /// Checks the balances: equations between counters, which register-file stages declare. Must be called when
  /// the last launch has ended. Throws InternalError.
  void check_balances() const;

 private:
  class PilotRanks;

  Gpu* gpu_;
  std::vector<std::unique_ptr<ReadOrderLaw>> reads_;
  std::vector<std::unique_ptr<PilotRanks>> ranks_;
};

}  // namespace heddle::run
