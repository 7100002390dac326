#pragma once

// The files of a run in its result.json: "files" lists their names. "tables" lists the hashes of the tables
// that later commands read next to result.json (stats.csv, intervals.csv, profile.csv), so that a table of
// another run is not taken for that of this run.

#include <optional>
#include <string>

#include "models/core/config_node.h"
#include "testbench/run/out_folder.h"

namespace heddle::output {

/// Replaces the members "files" and "tables" of a result by those of a folder that is about to be committed.
void add_files(ConfigNode& result, const run::OutFolder& folder);

/// Returns the text of a table in the folder of a result.json; nothing if there is no such file. Throws Error
/// for a table of another run, and for a table that was changed.
std::optional<std::string> stored_table(const ConfigNode& result, const std::string& folder,
                                        const std::string& name);

}  // namespace heddle::output
