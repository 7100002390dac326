#pragma once

// Builds the parameters of one run from a scenario file (docs/formats/scenario.md), a preset and the command
// line. Later sources win: defaults, preset, the scenarios that the scenario extends (`like`), the scenario,
// techniques (except for values that the user sets), flags, --set.

#include <string>
#include <utility>
#include <vector>

#include "testbench/run/run_parameters.h"
#include "testbench/run/techniques.h"

namespace heddle::run {

/// Values of command-line options by key path. The node's `file` is the option's name, for messages.
using Flags = std::vector<std::pair<std::string, ConfigNode>>;

struct ScenarioRequest {
  std::string scenario;           ///< file of the scenario; may be empty
  std::string gpu;                ///< preset by name or file; replaces the scenario's preset
  std::string launch;             ///< launch file that replaces the scenario's launch file
  std::vector<std::string> with;  ///< techniques, applied after those of the scenario (techniques.h)
  bool with_alone = false;        ///< True: `with` replaces the scenario's techniques.
  Flags flags;
  std::vector<std::string> sets;  ///< "path.key=value"
};

/// Returns the parameters. Throws Error (file and line, or the flag) for unknown keys, wrong types and values
/// out of range.
RunParameters read_scenario(const ScenarioRequest& request);

/// Returns the parameters for a tree in the form of a scenario file. Relative paths are relative to the
/// folder `file`.
RunParameters read_scenario_tree(const ConfigNode& tree, const ScenarioRequest& request);

/// The parameters of a request before its --set assignments, which are applied last.
struct ScenarioBeforeSets {
  RunParameters parameters;   ///< only the members that have no key: techniques, files, and the preset alone
  ConfigNode tree;            ///< configuration tree with all parameters
  Techniques techniques;      ///< The techniques are applied. Call check() on the finished tree.
  bool names_tables = false;  ///< True: the scenario or a flag names power.technologies.
};

/// Applies everything except `request.sets`. Techniques do not change the paths that `request.sets` names.
ScenarioBeforeSets read_before_sets(const ConfigNode& tree, const ScenarioRequest& request);

/// Returns the parameters as a scenario that gives the same run. The number of threads is left out.
ConfigNode dump_scenario(RunParameters parameters);

}  // namespace heddle::run
