#pragma once

// Lists the parameters that differ between configurations, for the headings of runs and comparisons.

#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::run {

struct ParameterDifference {
  std::string path;  ///< path of the parameter, such as "gpu.sm.scheduler.active_warps"
  /// value of the parameter in each configuration; "-" if a configuration lacks it
  std::vector<std::string> values;
};

/// Returns every parameter whose values differ between two of the configurations (from dump_scenario), in the
/// order of the first configuration. Parameters that only name files (description, launch, output) are left
/// out.
std::vector<ParameterDifference> differences(const std::vector<ConfigNode>& configurations);

}  // namespace heddle::run
