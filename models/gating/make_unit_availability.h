#pragma once

// Creates the object that shows which execution units of an SM accept instructions, with or without power
// gating.

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
  /// Issue constraints of the SM. If units can be gated, one of these constraints must block instructions for
  /// gated units.
  const std::vector<ConfigNode>* constraints = nullptr;
  int partitions = 1;
  int slots = 1;
  /// Number of cycles of its latency that an instruction spends outside its unit. A latency runs from the
  /// issue of an instruction to the issue of a dependent instruction.
  int pipeline_overhead = 0;
  int shift_cycles = 0;
  const Clock* clock = nullptr;
  WarpHomes homes;
  StatsScope stats;
};

struct MadeUnitAvailability {
  std::unique_ptr<UnitAvailability> units;
  PowerDomainsMaker& maker;
};

/// Throws Error if units may be gated, but no issue constraint blocks instructions for gated units.
MadeUnitAvailability make_unit_availability(const GatingParameters& parameters,
                                            const UnitAvailabilityContext& context);

}  // namespace heddle
