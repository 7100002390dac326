#pragma once

// Counts how many warps of a scheduler need execution units, for unit power gating
// (models/ports/unit_availability.h).

#include "models/ports/unit_availability.h"
#include "models/scheduler/i_scheduler_policy.h"
#include "models/sm/lane_needs.h"

namespace heddle {

/// Counts how many warps of one scheduler need units, after the scheduler's policy has picked its warps.
/// `waiting`: warps with an active slot whose next instruction uses the unit class. `wanting`: those
/// `waiting` warps for which the policy requests a unit. `lanes`: lanes that the next instructions of
/// these warps need; counts at most `issue_width` of the warps.
void count_demand(UnitAvailability& units, std::size_t partition, const SchedulerPolicy& policy,
                  const SchedulerView& view, const LaneNeeds& lanes, int issue_width);

}  // namespace heddle
