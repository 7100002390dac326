#pragma once

// The availability of an SM's units as the parameters of gating say (models/ports/unit_availability.h).

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
  const std::vector<ConfigNode>* constraints = nullptr;  ///< of the SM: some parameters need one
  int partitions = 1;
  int slots = 1;              ///< issue slots of a partition in a cycle
  int pipeline_overhead = 0;  ///< cycles between issue and dependent issue that pass outside the units
  int shift_cycles = 0;       ///< LaneMoves::extra_cycles
  const Clock* clock = nullptr;
  WarpHomes homes;
  StatsScope stats;  ///< of the SM
};

struct MadeUnitAvailability {
  std::unique_ptr<UnitAvailability> units;
  PowerDomainsMaker& maker;  ///< makes groups of domains for others; lives as long as `units`
};

/// Throws Error if units may sleep and no issue constraint keeps instructions away from them.
MadeUnitAvailability make_unit_availability(const GatingParameters& parameters,
                                            const UnitAvailabilityContext& context);

}  // namespace heddle
