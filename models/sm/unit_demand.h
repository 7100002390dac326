#pragma once

// Demand of the schedulers for units (models/ports/unit_availability.h).

#include "models/ports/unit_availability.h"
#include "models/scheduler/i_scheduler_policy.h"
#include "models/sm/lane_needs.h"

namespace heddle {

/// Counts the demand of a partition's scheduler for units, after its policy has chosen: warps that hold an
/// active slot and keep it, by the unit class of their next instruction; all of them, and those that could
/// issue if a unit accepted them. `lanes`: lanes that the head instructions need; `issue_width`: limit of a
/// scheduler's requests.
void count_demand(UnitAvailability& units, std::size_t partition, const SchedulerPolicy& policy,
                  const SchedulerView& view, const LaneNeeds& lanes, int issue_width);

}  // namespace heddle
