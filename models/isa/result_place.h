#pragma once

// Where the result of a lane function may be written over a source.

#include "models/isa/instruction.h"

namespace heddle::isa {

/// Whether the only result may take the place of a source that has as many words: not where lanes look at their neighbours, or
/// where special functions look at their argument once more.
inline bool may_take_place(const Instruction& instruction) {
  return instruction.op_class != OpClass::cross_lane && instruction.unit != UnitClass::sfu;
}

}  // namespace heddle::isa
