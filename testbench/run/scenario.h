#pragma once

// Builds the parameters of one run from a scenario file (docs/formats/scenario.md), a preset and the command
// line. If several sources set a parameter, the last one in this order wins: defaults, preset, extended
// scenarios (`like`), the scenario, techniques (except for values that the user sets), options, --set.

#include <string>
#include <utility>
#include <vector>

#include "testbench/run/run_parameters.h"
#include "testbench/run/techniques.h"

namespace heddle::run {

/// Values of command-line options, by parameter path. ConfigNode::file is the option's name, for error texts.
using Flags = std::vector<std::pair<std::string, ConfigNode>>;

struct ScenarioRequest {
  std::string scenario;
  std::string gpu;
  std::string launch;
  std::vector<std::string> with;
  bool with_alone = false;  ///< `with` replaces the scenario's techniques.
  Flags flags;
  std::vector<std::string> sets;
};

/// Reads a scenario. Throws Error (file and line, or option) for unknown keys, wrong types and values out of
/// range.
RunParameters read_scenario(const ScenarioRequest& request);

/// Reads a tree in the form of a scenario file. Relative paths are relative to the folder of
/// `request.scenario`.
RunParameters read_scenario_tree(const ConfigNode& tree, const ScenarioRequest& request);

/// The parameters of a run before --set, which comes last.
struct ScenarioBeforeSets {
  /// Only the members without a configuration key are set: the names of the techniques, the files read, and
  /// `preset_alone` (the preset before the scenario changes it). `tree` has all other parameters.
  RunParameters parameters;
  ConfigNode tree;
  Techniques techniques;      ///< applied techniques; call check() on the finished tree
  bool names_tables = false;  ///< The scenario or an option names power.technologies.
};

/// Applies everything except `request.sets`. Techniques do not change parameters that `request.sets` will
/// set.
ScenarioBeforeSets read_before_sets(const ConfigNode& tree, const ScenarioRequest& request);

/// Returns a scenario that repeats the run. The scenario does not contain the number of threads, because this
/// number does not change results.
ConfigNode dump_scenario(RunParameters parameters);

}  // namespace heddle::run
