#pragma once

// Checks that an energy account adds up: the energies of the counters (events times prices), of the
// structures (consumers of energy) and the total agree. Thus nothing is counted twice or left out.

#include "power/energy_report.h"

namespace heddle::power {

/// Checks spent energy and baseline. Throws Error if a structure's energy differs from the sum of its
/// entries, or if the total differs from the sum of the structures. Tolerance: 1e-9 of the sum of absolute
/// values.
void check_sums(const EnergyReport& report);

}  // namespace heddle::power
