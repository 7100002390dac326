#pragma once

// Checks the sums of an account: counters, structures and total agree, so that nothing is counted twice or
// left out.

#include "power/energy_report.h"

namespace heddle::power {

/// Throws Error if the energies of a structure differ from the sum of its entries (events times prices),
/// spent or baseline. Also throws if the total differs from the sum of the structures. The tolerance is 1e-9
/// of the summed absolute values.
void check_sums(const EnergyReport& report);

}  // namespace heddle::power
