#pragma once

// Sets an instruction's operands of these kinds: constants, special registers, predicates. General registers
// are not set here.

#include <bit>

#include "models/ports/in_flight.h"
#include "models/sm/warp_state.h"

namespace heddle {

struct PlacementInfo {
  std::uint32_t sm = 0, sms = 1, max_warps = 48;
};

/// Reads a source operand whose value must be read at issue (InstructionFootprint::read_at_issue).
void read_source(InFlight& item, std::size_t slot, const WarpState& warp, const PlacementInfo& place,
                 Cycle now, double clock_mhz);

/// Sets all operands of `item` that are not general registers: pointers to constants that all lanes share,
/// and the present values of special registers and predicates.
inline void set_up_operands(InFlight& item, const WarpState& warp, const PlacementInfo& place, Cycle now,
                            double clock_mhz) {
  const InstructionFootprint& footprint = *item.footprint;
  for (unsigned rest = footprint.constant_sources; rest; rest &= rest - 1) {
    const auto slot = static_cast<std::size_t>(std::countr_zero(rest));
    const auto& words = warp.kernel->constant(item.pc, slot);
    item.operands.src[slot][0] = words[0];
    item.operands.src[slot][1] = words[1];
  }
  for (unsigned rest = footprint.read_at_issue; rest; rest &= rest - 1)
    read_source(item, static_cast<std::size_t>(std::countr_zero(rest)), warp, place, now, clock_mhz);
  item.operands.active = item.mask;
}

/// Computes a special register for every lane, as low and high 32-bit words. If the launch records clock
/// reads, records the value of a clock register.
void read_special(const isa::Instruction& instruction, const isa::Operand& operand, LaneMask lanes,
                  const WarpState& warp, const PlacementInfo& place, Cycle now, double clock_mhz,
                  LaneVec& low, LaneVec& high);

/// Returns the lanes in which a predicate operand is true: a predicate, which may be negated, or a one-bit
/// constant.
inline LaneMask predicate_of(const isa::Operand& operand, const WarpState& warp) {
  const LaneMask value = operand.is_pred()          ? warp.predicates[operand.pred.value]
                         : (operand.value & 1) != 0 ? kAllLanes
                                                    : 0;
  return operand.negated ? ~value : value;
}

}  // namespace heddle
