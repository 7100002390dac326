#pragma once

// Where the result of a lane function may be written over a source.

#include "models/isa/instruction.h"

namespace heddle::isa {

/// True if the only result may overwrite a source with as many words: false if lanes read their neighbours,
/// or if special functions read their argument again.
inline bool may_take_place(const Instruction& instruction) {
  return instruction.op_class != OpClass::cross_lane && instruction.unit != UnitClass::sfu;
}

}  // namespace heddle::isa
