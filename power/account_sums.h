#pragma once

// Checks that an account closes: nothing is counted twice or left out between counters, structures and the
// total.

#include "power/energy_report.h"

namespace heddle::power {

/// Throws Error that names the structure if its entries, events times prices, do not sum to it, spent and as a baseline,
/// or if the structures do not sum to the total. Sums close within 1e-9 of what is summed.
void check_sums(const EnergyReport& report);

}  // namespace heddle::power
