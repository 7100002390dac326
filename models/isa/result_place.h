#pragma once

// Which lane functions may write their result over a source operand.

#include "models/isa/instruction.h"

namespace heddle::isa {

/// True if the only result may overwrite a source that has as many words. False for lanes that read other
/// lanes, and for special functions, which read their argument again.
inline bool may_take_place(const Instruction& instruction) {
  return instruction.op_class != OpClass::cross_lane && instruction.unit != UnitClass::sfu;
}

}  // namespace heddle::isa
