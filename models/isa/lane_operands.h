#pragma once

// Arguments of a lane function, which executes one instruction for all 32 lanes of a warp at once. The
// function reads src and pred_src, and writes dst and pred_dst for all lanes. The caller discards the results
// of inactive lanes. The function must not write through src. The storage of dst may overlap src only as
// models/isa/result_place.h permits.

#include "models/core/lanes.h"
#include "models/isa/instruction.h"

namespace heddle::isa {

struct LaneOperands {
  /// For each source slot: pointers to the low word and the high word. The second pointer is set only for
  /// 64-bit operands. The words of a matrix operand are consecutive from the low word on; only the first two
  /// words have pointers.
  const LaneVec* src[kMaxSources][2] = {};
  /// Values of the predicate sources, one bit for each lane. The caller has already inverted the bits of
  /// negated operands.
  LaneMask pred_src[kMaxSources] = {};
  /// For each destination slot: pointers to the low word and the high word of the result. The second pointer
  /// is set only for 64-bit results. nullptr: a discarded destination (_).
  LaneVec* dst[kMaxDestinations][2] = {};
  LaneMask pred_dst[kMaxDestinations] = {};
  /// Rounding rules of the matrix unit; nullptr: the default rules.
  const MatrixRules* matrix = nullptr;
  LaneMask active =
      kAllLanes;  ///< Lanes that execute the instruction. Cross-lane operations depend on this mask.
};

/// Returns the function that executes an instruction of this form (opcode, type, modifiers) for all lanes, or
/// nullptr if Heddle implements none. The first call selects the code for the host's vector width.
LaneFunction find_lane_function(const Instruction& instruction);

/// Executes one atomic operation on a value of the type `type` (16, 32 or 64 bits). `old`: memory content
/// before the operation. Returns the memory content after the operation.
std::uint64_t apply_atomic(AtomicOp op, DataType type, std::uint64_t old, std::uint64_t b, std::uint64_t c);

}  // namespace heddle::isa
