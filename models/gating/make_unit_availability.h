#pragma once

// Factory for the availability of an SM's units with power gating (models/ports/unit_availability.h).

#include <memory>
#include <vector>

#include "models/core/stats.h"
#include "models/exec/unit_parameters.h"
#include "models/gating/gating_parameters.h"
#include "models/ports/unit_availability.h"
#include "models/ports/warp_homes.h"
#include "models/time/clock.h"

namespace heddle {

struct UnitAvailabilityContext {
  const UnitParameters* units = nullptr;
  /// Constraints of the SM. Gating requires one of them.
  const std::vector<ConfigNode>* constraints = nullptr;
  int partitions = 1;
  int slots = 1;              ///< issue slots of a partition in a cycle
  int pipeline_overhead = 0;  ///< cycles between issue and dependent issue that are spent outside the units
  int shift_cycles = 0;       ///< LaneMoves::extra_cycles
  const Clock* clock = nullptr;
  WarpHomes homes;
  StatsScope stats;  ///< scope of the SM
};

struct MadeUnitAvailability {
  std::unique_ptr<UnitAvailability> units;
  PowerDomainsMaker& maker;  ///< makes groups of domains for other modules; lives as long as `units`
};

/// Throws Error if units may sleep and no issue constraint blocks instructions for sleeping units.
MadeUnitAvailability make_unit_availability(const GatingParameters& parameters,
                                            const UnitAvailabilityContext& context);

}  // namespace heddle
