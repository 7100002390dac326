#pragma once

// Operands of an instruction that do not come from the register banks: constants, special registers,
// predicates.

#include "models/ports/in_flight.h"
#include "models/sm/warp_state.h"

namespace heddle {

struct PlacementInfo {
  std::uint32_t sm = 0, sms = 1, max_warps = 48;
};

/// Points one source that is no register at its values.
void set_up_source(InFlight& item, std::size_t slot, const WarpState& warp, const PlacementInfo& place,
                   Cycle now, double clock_mhz);

/// Points the operands of `item` at their values: register sources and results at its own storage (the
/// collector fills the sources), constants at their broadcasts. Special registers and predicates are read
/// now.
inline void set_up_operands(InFlight& item, const WarpState& warp, const PlacementInfo& place, Cycle now,
                            double clock_mhz) {
  const isa::Instruction& instruction = *item.instruction;
  isa::LaneOperands& operands = item.operands;
  for (std::size_t slot = 0; slot < instruction.num_src; ++slot) {
    const isa::Operand& o = instruction.src[slot];
    if (o.kind != isa::Operand::Kind::reg) {
      set_up_source(item, slot, warp, place, now, clock_mhz);
      continue;
    }
    operands.src[slot][0] = &item.values[slot][0];
    // A 32-bit address has no high word: what an earlier instruction left there must not count.
    operands.src[slot][1] = o.bits == 64 ? &item.values[slot][1] : nullptr;
  }
  for (std::size_t slot = 0; slot < instruction.num_dst; ++slot) {
    const int words = instruction.dst[slot].words();
    operands.dst[slot][0] = words >= 1 ? &item.results[slot][0] : nullptr;
    operands.dst[slot][1] = words == 2 ? &item.results[slot][1] : nullptr;
  }
  operands.active = item.mask;
}

/// Low and high word of a special register in every lane.
void read_special(const isa::Operand& operand, const WarpState& warp, const PlacementInfo& place, Cycle now,
                  double clock_mhz, LaneVec& low, LaneVec& high);

/// A predicate operand, or a constant of one bit in its place, with its negation applied.
inline LaneMask predicate_of(const isa::Operand& operand, const WarpState& warp) {
  const LaneMask value = operand.is_pred()          ? warp.predicates[operand.pred.value]
                         : (operand.value & 1) != 0 ? kAllLanes
                                                    : 0;
  return operand.negated ? ~value : value;
}

}  // namespace heddle
