#pragma once

// What the schedulers have waiting for units (models/ports/unit_availability.h).

#include "models/ports/unit_availability.h"
#include "models/scheduler/i_scheduler_policy.h"
#include "models/sm/lane_needs.h"

namespace heddle {

/// Counts what a scheduler of the partition has waiting for its units, after its policy has chosen: warps that hold an
/// active slot, and keep it, by the unit class of their next instruction; all of them, and those that could issue if a
/// unit took them. `lanes`: what the head instructions need; `issue_width`: no scheduler asks for more than it can issue.
void count_demand(UnitAvailability& units, std::size_t partition, const SchedulerPolicy& policy,
                  const SchedulerView& view, const LaneNeeds& lanes, int issue_width);

}  // namespace heddle
