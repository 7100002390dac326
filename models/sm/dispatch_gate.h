#pragma once

// The way from a partition's operand collectors to its units where an issue may go to a unit that sleeps (gating
// wake_on): an instruction stays in its collector until all that it needs of its unit is on. The states of a cycle
// hang on what the issue stage said up to the cycle before, so it does not matter which of the two runs first.

#include "models/gating/sm_power_domains.h"
#include "models/ports/instruction_path.h"

namespace heddle {

class DispatchGate final : public InstructionTap {
 public:
  DispatchGate(const sc_core::sc_module_name& name, const Clock& clock, SmPowerDomains& power,
               std::size_t partition)
      : InstructionTap(name), clock_(&clock), power_(&power), partition_(partition) {}

  bool take(InstructionTransfer& transfer) override {
    const InFlight& item = *transfer.item;
    UnitDomains& domains = power_->of(partition_, item.instruction->unit);
    if (domains.issue_wakes() && !domains.on(clock_->now(), item.cluster < 0 ? 0 : item.cluster, item.lanes))
      return false;
    return below.offer(transfer);
  }

 private:
  const Clock* clock_;
  SmPowerDomains* power_;
  std::size_t partition_;
};

}  // namespace heddle
