#pragma once

// Factory for the lane plans of an SM with warp folding (models/ports/lane_plans.h).

#include <memory>

#include "models/core/stats.h"
#include "models/folding/folding_parameters.h"
#include "models/ports/lane_plans.h"
#include "models/ports/warp_homes.h"
#include "models/time/clock.h"

namespace heddle {

struct LanePlansContext {
  int partitions = 1;
  int slots = 1;  ///< issue slots of a partition in a cycle
  const Clock* clock = nullptr;
  WarpHomes homes;
  StatsScope stats;  ///< scope of the SM
};

std::unique_ptr<LanePlans> make_lane_plans(const FoldingParameters& parameters,
                                           const LanePlansContext& context);

}  // namespace heddle
