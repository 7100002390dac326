#pragma once

// Connection between the operand collectors and the execution units of a partition, for gating techniques
// that delay instructions in their collectors. The delay depends only on what the issue stage did in earlier
// cycles, so that the result is independent of module order.

#include "models/gating/i_unit_rule.h"
#include "models/ports/instruction_path.h"

namespace heddle {

class DispatchGate final : public InstructionTap {
 public:
  DispatchGate(const sc_core::sc_module_name& name, const Clock& clock, UnitRule& rule, std::size_t partition)
      : InstructionTap(name), clock_(&clock), rule_(&rule), partition_(partition) {}

  bool take(InstructionTransfer& transfer) override {
    const InFlight& item = *transfer.item;
    const UnitUse use{partition_, item.instruction->unit, item.lanes, item.cluster < 0 ? 0 : item.cluster};
    const bool taken = rule_->may_enter(clock_->now(), use) && below.offer(transfer);
    // The gate sends no notification when it opens, so the collectors must offer the instruction again in
    // every cycle.
    transfer.room_follows = false;
    return taken;
  }

 private:
  const Clock* clock_;
  UnitRule* rule_;
  std::size_t partition_;
};

}  // namespace heddle
