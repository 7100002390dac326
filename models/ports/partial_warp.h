#pragma once

// Error if an instruction that needs all 32 lanes of its warp is executed by fewer lanes.

#include "models/ports/in_flight.h"

namespace heddle {

/// Throws the error. Call if `item` needs all 32 lanes of its warp and fewer lanes execute it.
[[noreturn]] void refuse_partial_warp(const InFlight& item);

}  // namespace heddle
