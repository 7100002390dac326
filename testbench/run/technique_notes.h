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

/// Parts that techniques add to one list ("gpu.sm.register_file.stages"). Each part has the name of its
/// technique.
struct TechniqueParts {
  std::string path;
  std::vector<std::pair<ConfigNode, const Technique*>> parts;
};

/// Returns notes on parameters that one technique changes and on which the sizes of another technique's parts
/// depend. Such parameters are a scheduler (ports of caches), active warps (entries), and the layout of
/// registers (rows). `before` and `after`: the whole configuration without and with the techniques.
std::vector<std::string> notes_where_they_meet(const std::vector<TechniqueSetting>& settings,
                                               const TechniqueParts& stages, const ConfigNode& before,
                                               const ConfigNode& after);

/// Returns notes on techniques whose cost has no price in the run's technologies; empty if all have prices.
std::vector<std::string> notes_of_prices(const std::vector<Technique>& techniques);

}  // namespace heddle::run
