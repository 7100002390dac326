#pragma once

// Decides whether a lane function may write its result to the storage of a source operand.

#include "models/isa/instruction.h"

namespace heddle::isa {

/// Returns true if the result of the instruction may be written to the storage of a source with the same
/// number of words. Returns false for operations that read other lanes, and for special functions, which read
/// their argument again after writing the result.
inline bool may_take_place(const Instruction& instruction) {
  return instruction.op_class != OpClass::cross_lane && instruction.unit != UnitClass::sfu &&
         instruction.unit != UnitClass::matrix;
}

}  // namespace heddle::isa
