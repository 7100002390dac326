#pragma once

// Creates the object that assigns threads to lanes in an SM (models/ports/lane_plans.h), with or without warp
// folding.

#include <memory>

#include "models/core/stats.h"
#include "models/folding/folding_parameters.h"
#include "models/ports/lane_plans.h"
#include "models/ports/warp_homes.h"
#include "models/time/clock.h"

namespace heddle {

struct LanePlansContext {
  int partitions = 1;
  int slots = 1;
  const Clock* clock = nullptr;
  WarpHomes homes;
  StatsScope stats;
};

std::unique_ptr<LanePlans> make_lane_plans(const FoldingParameters& parameters,
                                           const LanePlansContext& context);

}  // namespace heddle
