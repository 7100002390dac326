#pragma once

// Operands of an instruction that do not come from the register banks: constants, special registers,
// predicates.

#include "models/ports/in_flight.h"
#include "models/sm/warp_state.h"

namespace heddle {

struct PlacementInfo {
  std::uint32_t sm = 0, sms = 1, max_warps = 48;
};

/// Points the operands of `item` at their values: register sources and results at its own storage (the
/// collector fills the sources), constants at their broadcasts. Special registers and predicates are read
/// now.
void set_up_operands(InFlight& item, const WarpState& warp, const PlacementInfo& place, Cycle now,
                     double clock_mhz);

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
