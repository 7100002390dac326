#pragma once

// Arguments of a lane function: whole-warp operands by slot, 32 lanes at once.
//
// A lane function reads src/pred_src, writes *every* lane of dst/pred_dst (values of inactive lanes are
// ignored: the caller merges by the active mask) and must not write through src. dst and src never overlap,
// except as models/isa/result_place.h permits.

#include "models/core/lanes.h"
#include "models/isa/instruction.h"

namespace heddle::isa {

struct LaneOperands {
  const LaneVec* src[kMaxSources][2] = {};  ///< [slot][low, high word]; high only for 64-bit operands
  LaneMask pred_src[kMaxSources] = {};      ///< predicate sources, negation already applied
  LaneVec* dst[kMaxDestinations][2] =
      {};  ///< high only for 64-bit results; nullptr for a discarded destination (_)
  LaneMask pred_dst[kMaxDestinations] = {};
  LaneMask active = kAllLanes;  ///< lanes that execute (cross-lane operations look at it)
};

/// The arithmetic of one instruction form; nullptr if Heddle has none. Chosen for the host's vector width
/// once.
LaneFunction find_lane_function(const Instruction& instruction);

/// One step of an atomic on `bits` = 32 or 64: returns the new content given the old one.
std::uint64_t apply_atomic(AtomicOp op, DataType type, std::uint64_t old, std::uint64_t b, std::uint64_t c);

}  // namespace heddle::isa
