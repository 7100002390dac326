#pragma once

// Accesses that a stage above the banks sends by itself, such as write-backs.

#include "models/ports/register_access.h"

namespace heddle {

/// Returns an access to a register that stage `stage` sends by itself. A bank may serve this access from
/// cycle `from` on. `owner`: the stage's record of the access; this record holds `values`.
inline RegisterAccess own_access(RegisterCommand command, WarpId warp, RegId reg, LaneMask mask,
                                 LaneVec& values, const void* stage, void* owner, Cycle from) {
  RegisterAccess access;
  access.command = command;
  access.set_register(warp, reg);
  access.mask = mask;
  access.values = &values;
  access.source = RegisterAccess::kResultBus;
  access.stage = stage;
  access.owner = owner;
  access.earliest_service = from;
  return access;
}

}  // namespace heddle
