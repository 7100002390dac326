#pragma once

// Lists the parameters that differ between configurations, for the headings of runs and comparisons.

#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::run {

struct ParameterDifference {
  std::string path;                 ///< "gpu.sm.scheduler.active_warps"
  std::vector<std::string> values;  ///< by configuration; "-" if it lacks the parameter
};

/// Returns every parameter on which two of the configurations (from dump_scenario) differ, in the order of
/// the first configuration. Parameters that only name files (description, launch, output) are left out.
std::vector<ParameterDifference> differences(const std::vector<ConfigNode>& configurations);

}  // namespace heddle::run
