#pragma once

// Runs that a command line names beside each other: configurations to run, and stored results.

#include <optional>
#include <string>
#include <vector>

#include "testbench/comparison/comparison.h"
#include "testbench/run/scenario.h"

namespace heddle::cli {

/// A run to be made, or one that was made before.
struct Variant {
  std::string name;                               ///< as the command line has it
  std::optional<comparison::ComparedRun> stored;  ///< read from a result.json
  run::RunParameters parameters;                  ///< of a run to be made
  std::vector<std::string> notes;                 ///< what has to be said of it, a sentence each
};

/// What a file holds, by its keys.
enum class FileKind { result, scenario, other };
/// Throws Error for a launch file, which is no run, and for what cannot be read.
FileKind kind_of_file(const std::string& file);

/// A variant of `heddle compare`: BASE[+TECHNIQUE...][,path=value...]. BASE is a GPU preset, a scenario, or a stored
/// result, by name or file; a result takes neither techniques nor changes. The variant's own stand after those of
/// `all`, which has launch file, techniques, flags and changes of all variants.
Variant read_variant(const std::string& text, const run::ScenarioRequest& all);

/// What `--against WORD...` of `heddle run` and `heddle exec` names: "plain" (the run without any technique), techniques in place of the
/// run's own, a scenario, or a stored result. `request` and `parameters` are those of the run, which has no launch file where it is
/// a program's. A scenario keeps its
/// GPU; launch file, flags and changes of the run hold for the other one, too. "plain" has the run's energy account.
Variant read_against(const std::vector<std::string>& words, const run::ScenarioRequest& request,
                     const run::RunParameters& parameters);

/// The techniques of a run in one word: "hybrid+warped-gates"; "this run" if it has none.
std::string name_of_run(const run::RunParameters& parameters);

}  // namespace heddle::cli
