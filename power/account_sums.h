#pragma once

// Checks that an energy account adds up: counters times prices, structures (consumers of energy) and total.
// Nothing is counted twice or left out.

#include "power/energy_report.h"

namespace heddle::power {

/// Throws Error if a structure's energy differs from the sum of its entries, or the total from the sum of the
/// structures, for spent energy or baseline. Tolerance: 1e-9 of the sum of absolute values.
void check_sums(const EnergyReport& report);

}  // namespace heddle::power
