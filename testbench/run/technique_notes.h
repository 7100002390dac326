#pragma once

// Notes on techniques that are used together, one line each, for the summary of a run.

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

/// Parts of one list ("gpu.sm.register_file.stages"), each with the technique that adds it.
struct TechniqueParts {
  std::string path;
  std::vector<std::pair<ConfigNode, const Technique*>> parts;
};

/// Returns notes on changes by one technique to parameters that determine the sizes of another technique's
/// parts. Such pairs are schedulers and ports, active warps and entries, layout and rows. `before` and
/// `after`: the whole configuration without and with the techniques.
std::vector<std::string> notes_where_they_meet(const std::vector<TechniqueSetting>& settings,
                                               const TechniqueParts& stages, const ConfigNode& before,
                                               const ConfigNode& after);

/// Returns notes on techniques without prices of their own; empty if all have prices.
std::vector<std::string> notes_of_prices(const std::vector<Technique>& techniques);

}  // namespace heddle::run
