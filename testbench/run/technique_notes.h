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

/// Parts, such as stages, that techniques add to one list of the configuration. Each part is stored with its
/// technique.
struct TechniqueParts {
  std::string path;
  std::vector<std::pair<ConfigNode, const Technique*>> parts;
};

/// Returns a note for each case in which one technique changes a parameter, and the size of a part of another
/// technique is computed from this parameter: ports of caches from the scheduler, entries from the number of
/// active warps, rows from the register layout. `before`, `after`: configuration without and with the
/// techniques.
std::vector<std::string> notes_where_they_meet(const std::vector<TechniqueSetting>& settings,
                                               const TechniqueParts& stages, const ConfigNode& before,
                                               const ConfigNode& after);

/// Returns a note that names the techniques without prices of their own; nothing if every technique has
/// prices.
std::vector<std::string> notes_of_prices(const std::vector<Technique>& techniques);

}  // namespace heddle::run
