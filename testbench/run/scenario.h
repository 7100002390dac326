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

/// Values that command-line options give, by parameter path. The node's `file` is the name of the option, for
/// messages.
using Flags = std::vector<std::pair<std::string, ConfigNode>>;

struct ScenarioRequest {
  std::string scenario;           ///< path of the scenario; may be empty
  std::string gpu;                ///< preset (name or path) that replaces the scenario's preset
  std::string launch;             ///< launch file that replaces the scenario's launch file
  std::vector<std::string> with;  ///< techniques that are applied after those of the scenario (techniques.h)
  bool with_alone = false;        ///< True: `with` replaces the scenario's techniques.
  Flags flags;
  std::vector<std::string> sets;  ///< settings of --set, each "path.key=value"
};

/// Returns the parameters of the run. Throws Error (file and line, or option) for unknown keys, wrong types
/// and values out of range.
RunParameters read_scenario(const ScenarioRequest& request);

/// Returns the parameters that a tree in the form of a scenario file describes. Relative paths in the tree
/// are relative to the folder of `file`.
RunParameters read_scenario_tree(const ConfigNode& tree, const ScenarioRequest& request);

/// The parameters of a run before the --set options are applied. The --set options come last.
struct ScenarioBeforeSets {
  /// Members without a configuration key: techniques, files read, and the parameters of the preset alone.
  RunParameters parameters;
  ConfigNode tree;            ///< the configuration as a tree of all parameters
  Techniques techniques;      ///< the techniques, already applied; call check() on the finished tree
  bool names_tables = false;  ///< True: the scenario or an option names power.technologies.
};

/// Applies everything except `request.sets`. Techniques do not change parameters that `request.sets` will
/// set.
ScenarioBeforeSets read_before_sets(const ConfigNode& tree, const ScenarioRequest& request);

/// Returns the parameters as a scenario that repeats the run. The number of threads is left out.
ConfigNode dump_scenario(RunParameters parameters);

}  // namespace heddle::run
