#pragma once

// Demand of the schedulers for units (models/ports/unit_availability.h).

#include "models/ports/unit_availability.h"
#include "models/scheduler/i_scheduler_policy.h"
#include "models/sm/lane_needs.h"

namespace heddle {

/// Counts the demand of one scheduler for units, after its policy has chosen. `waiting` counts, by the unit
/// class of their next instruction, all warps that have an active slot and do not leave it. `wanting` counts
/// the warps among them that request a unit. `lanes`: lanes that the head instructions need. `issue_width`:
/// most requests of a scheduler for lanes.
void count_demand(UnitAvailability& units, std::size_t partition, const SchedulerPolicy& policy,
                  const SchedulerView& view, const LaneNeeds& lanes, int issue_width);

}  // namespace heddle
