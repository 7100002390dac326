#pragma once

// Declares functions for all commands that repeat a stored run. The functions read the result.json of the
// run, and check that the input files of the run have not changed.

#include <string>

#include "models/core/config_node.h"
#include "testbench/run/run_session.h"

namespace heddle::cli {

/// Reads the result.json of a run that was not ended early. Throws Error for any other file.
ConfigNode read_result(const std::string& path);

/// Returns the parameters with which the run of a result can be repeated. `path`: the file of the result;
/// `out`: folder for the outputs of the repeated run, or empty.
run::RunParameters repeated_parameters(const ConfigNode& result, const std::string& path,
                                       const std::string& out);

/// Throws Error if an input file has changed since the run. With `known_only`, prints a warning instead. Also
/// prints a warning if another version of Heddle made the result.
void check_unchanged(const ConfigNode& result, const std::string& path, bool known_only);

/// Checks the input files of the repeated run. For a file that the stored result does not list, throws Error
/// or, with `known_only`, prints a warning. Such a file may have changed unnoticed since the first run.
void check_complete(const ConfigNode& result, const run::RunSession& session, const std::string& path,
                    bool known_only);

}  // namespace heddle::cli
