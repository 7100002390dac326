#pragma once

// Runs that a command compares: configurations to execute, and stored results.

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
/// Determines what a file contains. Throws Error for a launch file, because it describes no run, and for an
/// unreadable file.
FileKind kind_of_file(const std::string& file);

/// Returns true if a word of the command line names a stored result or a pack.
bool is_stored(const std::string& word);

/// Reads a variant of `heddle compare`: BASE[+TECHNIQUE...][,path=value...]. BASE is a GPU preset, a scenario
/// or a stored result. A stored result takes neither techniques nor changes. The launch file, techniques,
/// flags and changes in `all` are applied first.
Variant read_variant(const std::string& text, const run::ScenarioRequest& all);

/// Reads the words of `--against`: "plain" (the run without techniques), techniques that replace the run's
/// own, a scenario, or a stored result. `request`, `parameters`: those of the run. Its launch file, flags and
/// changes apply to the second run, too. "plain" keeps the run's energy account.
Variant read_against(const std::vector<std::string>& words, const run::ScenarioRequest& request,
                     const run::RunParameters& parameters);

/// Returns a name for a run, made of its techniques, such as "hybrid+warped-gates"; "this run" if it has
/// none.
std::string name_of_run(const run::RunParameters& parameters);

}  // namespace heddle::cli
