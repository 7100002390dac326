#pragma once

// What differs between configurations, parameter by parameter, for the heads of runs and comparisons.

#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::run {

struct ParameterDifference {
  std::string path;                 ///< "gpu.sm.scheduler.active_warps"
  std::vector<std::string> values;  ///< by configuration; "-" where one has no such parameter
};

/// Every parameter that two of the configurations (as of dump_scenario) have different values of, in the order in
/// which the first has them. What names files alone (description, launch, output) is none.
std::vector<ParameterDifference> differences(const std::vector<ConfigNode>& configurations);

}  // namespace heddle::run
