#pragma once

// What the commands that repeat a stored run share: reading its result.json, and checking that its inputs are
// still the same files.

#include <string>

#include "models/core/config_node.h"
#include "testbench/run/run_session.h"

namespace heddle::cli {

/// Reads a result.json of a run that was not ended early. Throws Error for another file.
ConfigNode read_result(const std::string& path);

/// Returns the parameters that repeat the run of a result. `path`: the file of the result; `out`: folder for
/// the outputs of the repeated run, or empty.
run::RunParameters repeated_parameters(const ConfigNode& result, const std::string& path,
                                       const std::string& out);

/// Throws Error if an input of the run has changed since. With `known_only`, prints a warning instead. Also
/// warns if another version of Heddle made the result.
void check_unchanged(const ConfigNode& result, const std::string& path, bool known_only);

/// Reports, in the same way, each input file that the repeated run reads but the stored result does not list.
/// Such a file may have changed after the first run.
void check_complete(const ConfigNode& result, const run::RunSession& session, const std::string& path,
                    bool known_only);

}  // namespace heddle::cli
