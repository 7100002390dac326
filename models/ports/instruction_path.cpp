#include "models/ports/instruction_path.h"

#include "models/core/error.h"

namespace heddle {

void InstructionTarget::b_transport(InstructionTransfer&, sc_core::sc_time&) {
  throw InternalError("instruction path: blocking transport is not part of the protocol");
}

}  // namespace heddle
