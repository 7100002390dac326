#pragma once

// Lists the parameters that differ between configurations, for the headings that Heddle prints above runs and
// comparisons.

#include <string>
#include <vector>

#include "models/core/config_node.h"

namespace heddle::run {

struct ParameterDifference {
  std::string path;
  /// value in each configuration; "-" if absent
  std::vector<std::string> values;
};

/// Returns every parameter that differs between the configurations (from dump_scenario). Leaves out file
/// names (description, launch, output).
std::vector<ParameterDifference> differences(const std::vector<const ConfigNode*>& configurations);

}  // namespace heddle::run
