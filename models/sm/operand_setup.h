#pragma once

// Operands of an instruction that do not come from the register banks: constants, special registers,
// predicates.

#include <bit>

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
  const InstructionFootprint& footprint = *item.footprint;
  isa::LaneOperands& operands = item.operands;
  // What an earlier instruction left as the high word of an operand of 32 bits must not count.
  for (const OperandWord& word : footprint.reads_in_order()) {
    operands.src[word.slot][1] = nullptr;
    operands.src[word.slot][word.word] = item.value(word);
  }
  for (unsigned rest = footprint.other_sources; rest; rest &= rest - 1)
    set_up_source(item, static_cast<std::size_t>(std::countr_zero(rest)), warp, place, now, clock_mhz);
  for (unsigned rest = footprint.other_destinations; rest; rest &= rest - 1)
    operands.dst[std::countr_zero(rest)][0] = operands.dst[std::countr_zero(rest)][1] = nullptr;
  for (const OperandWord& word : footprint.writes_in_order()) {
    operands.dst[word.slot][1] = nullptr;
    operands.dst[word.slot][word.word] = item.value(word);
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
