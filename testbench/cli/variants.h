#pragma once

// Runs that a command compares: configurations to execute, and stored results.

#include <optional>
#include <string>
#include <vector>

#include "testbench/comparison/comparison.h"
#include "testbench/run/scenario.h"

namespace heddle::cli {

/// A run of a comparison: a run to be made, or a stored run.
struct Variant {
  std::string name;  ///< text that names the variant on the command line
  /// Values of a stored run, read from its result.json; empty for a run to be executed.
  std::optional<comparison::ComparedRun> stored;
  run::RunParameters parameters;   ///< parameters of a run to be executed
  std::vector<std::string> notes;  ///< remarks about the variant for the user, one sentence each
};

/// Kinds of files that a variant may name, recognised by their keys.
enum class FileKind { result, scenario, other };
/// Returns the kind of a file. Throws Error for a launch file, because it describes no run, and for an
/// unreadable file.
FileKind kind_of_file(const std::string& file);

/// Returns true if a word of the command line names a stored result or a pack.
bool is_stored(const std::string& word);

/// Reads a variant of `heddle compare`: BASE[+TECHNIQUE...][,path=value...]. BASE is a GPU preset, a scenario
/// or a stored result, by name or file. A stored result takes neither techniques nor changes. `all` has the
/// launch file, techniques, flags and changes of all variants; those of this variant are applied after them.
Variant read_variant(const std::string& text, const run::ScenarioRequest& all);

/// Reads the words of `--against` of `heddle run` and `heddle exec`: "plain" (the run without techniques),
/// techniques that replace the run's own, a scenario, or a stored result. `request` and `parameters` are
/// those of the run; for a program, they name no launch file. A scenario keeps its GPU. The run's launch
/// file, flags and changes apply to the other run, too. "plain" has the run's energy account.
Variant read_against(const std::vector<std::string>& words, const run::ScenarioRequest& request,
                     const run::RunParameters& parameters);

/// Returns a name for a run, made of its techniques, such as "hybrid+warped-gates"; "this run" if it has
/// none.
std::string name_of_run(const run::RunParameters& parameters);

}  // namespace heddle::cli
