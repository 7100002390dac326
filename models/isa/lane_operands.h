#pragma once

// Arguments of a lane function, which executes one instruction for all 32 lanes of a warp at once.
//
// A lane function reads src and pred_src and writes every lane of dst and pred_dst. The caller discards
// values of inactive lanes. The function must not write through src. dst and src never overlap, except as
// models/isa/result_place.h permits.

#include "models/core/lanes.h"
#include "models/isa/instruction.h"

namespace heddle::isa {

struct LaneOperands {
  /// [slot][low, high word]; the high word only for 64-bit operands.
  const LaneVec* src[kMaxSources][2] = {};
  LaneMask pred_src[kMaxSources] = {};  ///< predicate sources after negation
  /// The high word only for 64-bit results; nullptr for a discarded destination (_)
  LaneVec* dst[kMaxDestinations][2] = {};
  LaneMask pred_dst[kMaxDestinations] = {};
  LaneMask active = kAllLanes;  ///< executing lanes, for cross-lane operations
};

/// Returns the lane function of an instruction form, or nullptr if Heddle implements none. The set of
/// functions is chosen once, for the host's vector width.
LaneFunction find_lane_function(const Instruction& instruction);

/// Executes one step of an atomic operation on 16, 32 or 64 bits, by `type`. Returns the new memory content
/// for the old one.
std::uint64_t apply_atomic(AtomicOp op, DataType type, std::uint64_t old, std::uint64_t b, std::uint64_t c);

}  // namespace heddle::isa
