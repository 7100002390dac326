#pragma once

// The runs that a command such as `heddle compare` compares (variants). A variant is a configuration to
// execute, or a stored result.

#include <optional>
#include <string>
#include <vector>

#include "testbench/comparison/comparison.h"
#include "testbench/run/scenario.h"

namespace heddle::cli {

struct Variant {
  std::string name;
  std::optional<comparison::ComparedRun> stored;
  run::RunParameters parameters;
  std::vector<std::string> notes;  ///< remarks for the user, one sentence each
};

/// Kinds of files that a variant may name, recognised by their keys.
enum class FileKind { result, scenario, other };
/// Returns the kind of a file. Throws Error for an unreadable file, and for a launch file, because a launch
/// file alone describes no run.
FileKind kind_of_file(const std::string& file);

/// Returns true if a word of the command line is the name of a stored result or a pack.
bool is_stored(const std::string& word);

/// Reads a variant of `heddle compare`: BASE[+TECHNIQUE...][,path=value...]. BASE is a GPU preset, a scenario
/// or a stored result; a stored result takes no techniques and no changes. The launch file, techniques,
/// options and --set values in `all` are applied first.
Variant read_variant(const std::string& text, const run::ScenarioRequest& all);

/// Reads the words of `--against`, which name the run that the command's own (first) run is compared with:
/// "plain" (the first run without techniques), techniques that replace the first run's techniques, a
/// scenario, or a stored result. `request`, `parameters`: request and parameters of the first run. Launch
/// file, options and --set values of `request` apply to the second run too. "plain" keeps the energy account
/// of the first run.
Variant read_against(const std::vector<std::string>& words, const run::ScenarioRequest& request,
                     const run::RunParameters& parameters);

/// Returns a name for a run: the names of its techniques, such as "hybrid+warped-gates". Returns "this run"
/// if it has no techniques.
std::string name_of_run(const run::RunParameters& parameters);

}  // namespace heddle::cli
