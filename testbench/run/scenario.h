#pragma once

// From a scenario file (docs/formats/scenario.md), a preset and what the command line adds to the parameters
// of one run. Later sources win: defaults, preset, the scenarios that it is
// like, the scenario, techniques (but for what the user sets), flags, --set.

#include <string>
#include <utility>
#include <vector>

#include "testbench/run/run_parameters.h"
#include "testbench/run/techniques.h"

namespace heddle::run {

/// Values of options of the command line, by key path; the node's file says which option, for messages.
using Flags = std::vector<std::pair<std::string, ConfigNode>>;

struct ScenarioRequest {
  std::string scenario;           ///< file; may be empty
  std::string gpu;                ///< preset by name or file; replaces the scenario's preset
  std::string launch;             ///< launch file; replaces the scenario's
  std::vector<std::string> with;  ///< techniques, after those of the scenario (techniques.h)
  bool with_alone = false;        ///< `with` stands in place of the scenario's techniques
  Flags flags;
  std::vector<std::string> sets;  ///< "path.key=value"
};

/// Throws Error (file and line, or the flag) for unknown keys, wrong types and values out of range.
RunParameters read_scenario(const ScenarioRequest& request);

/// The same from a tree as a scenario file holds it; `file` is the folder of relative paths.
RunParameters read_scenario_tree(const ConfigNode& tree, const ScenarioRequest& request);

/// A request as it is before its --set: these are the last to change the tree.
struct ScenarioBeforeSets {
  RunParameters parameters;  ///< what is known beside the values: techniques, files, the preset alone
  ConfigNode tree;           ///< every parameter
  Techniques techniques;     ///< laid on; check() is still to be asked of the finished tree
};

/// Takes of `request.sets` the paths alone, which techniques leave to the user.
ScenarioBeforeSets read_before_sets(const ConfigNode& tree, const ScenarioRequest& request);

/// The parameters as a scenario: reading it gives the same run. On how many threads, it does not say.
ConfigNode dump_scenario(RunParameters parameters);

}  // namespace heddle::run
