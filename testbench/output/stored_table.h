#pragma once

// Names and hashes of a run's files in its result.json. "files" lists the names. "tables" lists the hashes of
// the tables that later commands read together with result.json (stats.csv, intervals.csv, profile.csv). With
// the hash, a command detects a table that belongs to another run.

#include <optional>
#include <string>

#include "models/core/config_node.h"
#include "testbench/run/out_folder.h"

namespace heddle::output {

/// Sets the members "files" and "tables" of a result from a folder that is about to be committed.
void add_files(ConfigNode& result, const run::OutFolder& folder);

/// Returns the text of a table in the folder of a result.json; nothing if the file does not exist. Throws
/// Error if the table belongs to another run or was changed.
std::optional<std::string> stored_table(const ConfigNode& result, const std::string& folder,
                                        const std::string& name);

}  // namespace heddle::output
