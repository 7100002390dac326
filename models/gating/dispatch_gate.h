#pragma once

// Connection between a partition's operand collectors and its units, for gating rules that delay instructions
// (i_unit_rule.h). The rule's answer in a cycle depends on the issue stage's events up to the previous cycle,
// so the result is independent of module order.

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
    transfer.room_follows = false;  // the rule must be called in every cycle
    return taken;
  }

 private:
  const Clock* clock_;
  UnitRule* rule_;
  std::size_t partition_;
};

}  // namespace heddle
