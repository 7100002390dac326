#pragma once

// Checks that the sums of an energy account agree: counters times prices, structures (consumers of energy)
// and total. Nothing may be counted twice or left out.

#include "power/energy_report.h"

namespace heddle::power {

/// Throws Error if the energy of a structure differs from the sum of its entries (events times prices), or if
/// the total differs from the sum of the structures. Spent energy and baseline are both checked. The
/// tolerance is 1e-9 of the sum of absolute values.
void check_sums(const EnergyReport& report);

}  // namespace heddle::power
