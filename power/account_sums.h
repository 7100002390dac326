#pragma once

// Checks that an energy account adds up: counters times prices, structures (consumers of energy) and total.
// Nothing is counted twice or left out.

#include "power/energy_report.h"

namespace heddle::power {

/// Checks spent energy and baseline. Throws Error if a structure's energy differs from the sum of its
/// entries, or if the total differs from the sum of the structures. Tolerance: 1e-9 of the sum of absolute
/// values.
void check_sums(const EnergyReport& report);

}  // namespace heddle::power
