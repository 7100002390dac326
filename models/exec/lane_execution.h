#pragma once

// What the lanes of a unit compute where that is not simply thread i in lane i, all of them awake.

#include "models/ports/in_flight.h"

namespace heddle {

/// Executes the instruction by its lane plan (or by the identity), pass by pass: sources move into the
/// physical lanes, results back to their threads. Lanes not in `awake` give poison.
void execute_in_lanes(InFlight& item, LaneMask awake);

}  // namespace heddle
