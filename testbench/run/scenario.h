#pragma once

// Builds the parameters of one run from a scenario file (docs/formats/scenario.md), a preset and the command
// line. Later sources win: defaults, preset, the scenarios that it is like, the scenario, techniques (except
// where the user decides), flags, --set.

#include <string>
#include <utility>
#include <vector>

#include "testbench/run/run_parameters.h"
#include "testbench/run/techniques.h"

namespace heddle::run {

/// Values of command-line options, by key path; the node's file names the option, for messages.
using Flags = std::vector<std::pair<std::string, ConfigNode>>;

struct ScenarioRequest {
  std::string scenario;           ///< file; may be empty
  std::string gpu;                ///< preset by name or file; replaces the scenario's preset
  std::string launch;             ///< launch file; replaces the scenario's
  std::vector<std::string> with;  ///< techniques, after those of the scenario (techniques.h)
  bool with_alone = false;        ///< `with` replaces the scenario's techniques
  Flags flags;
  std::vector<std::string> sets;  ///< "path.key=value"
};

/// Throws Error (file and line, or the flag) for unknown keys, wrong types and values out of range.
RunParameters read_scenario(const ScenarioRequest& request);

/// The same from a tree in the form of a scenario file; `file` is the folder for relative paths.
RunParameters read_scenario_tree(const ConfigNode& tree, const ScenarioRequest& request);

/// A request before its --set, which change the tree last.
struct ScenarioBeforeSets {
  RunParameters parameters;   ///< data in addition to the values: techniques, files, the preset alone
  ConfigNode tree;            ///< every parameter
  Techniques techniques;      ///< laid on; call check() on the finished tree
  bool names_tables = false;  ///< the scenario or a flag names power.technologies
};

/// Uses only the paths of `request.sets`, which techniques must not change.
ScenarioBeforeSets read_before_sets(const ConfigNode& tree, const ScenarioRequest& request);

/// The parameters as a scenario that gives the same run; without the number of threads.
ConfigNode dump_scenario(RunParameters parameters);

}  // namespace heddle::run
