#pragma once

// Notes on how techniques affect each other, one line each, for the summary of a run.

#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/run/technique_file.h"

namespace heddle::run {

struct TechniqueSetting {
  std::string path;
  ConfigNode value;
  const Technique* technique;
};

/// Stages or other implementations that techniques add to one list, each with its technique's name.
struct TechniqueParts {
  std::string path;
  std::vector<std::pair<ConfigNode, const Technique*>> parts;
};

/// Returns notes on parameters that one technique changes and that determine sizes of another technique's
/// stages. The scheduler determines ports of caches, active warps determine entries, and the register layout
/// determines rows. `before`, `after`: configuration without and with the techniques.
std::vector<std::string> notes_where_they_meet(const std::vector<TechniqueSetting>& settings,
                                               const TechniqueParts& stages, const ConfigNode& before,
                                               const ConfigNode& after);

/// Returns notes on techniques whose cost has no price in the run's technologies.
std::vector<std::string> notes_of_prices(const std::vector<Technique>& techniques);

}  // namespace heddle::run
