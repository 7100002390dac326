#pragma once

// The contents of a pack: what `heddle pack` takes from a result.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/pack/archive.h"
#include "testbench/pack/pack_list.h"

namespace heddle::pack {

struct Contents {
  PackList list;  ///< the list without `files`, which write_pack() adds
  std::vector<Entry> entries;
};

/// Names of the folders in a pack.
inline constexpr const char* kRunFolder = "run";       ///< folder for the files that a run or a program wrote
inline constexpr const char* kInputFolder = "inputs";  ///< folder for launch file, PTX and data
/// Folder for technologies that come with Heddle.
inline constexpr const char* kTableFolder = "configs/technology";
/// Folder for the files that an experiment wrote.
inline constexpr const char* kExperimentFolder = "experiment";

/// Collects the files for the pack of a result.json or program.json. In the packed result, paths of inputs
/// are replaced by their paths in the pack. Throws Error for another file, and for a run that was ended
/// early.
Contents run_contents(const std::string& result);

/// Collects the files for the pack of an experiment's folder. `with_counters`: includes the results of all
/// runs with their counters. Throws Error for a folder without an experiment's tables.
Contents experiment_contents(const std::string& folder, bool with_counters);

/// Returns the result.json or program.json of a folder. Any other path is returned unchanged.
std::string result_file(const std::string& result);

/// Returns true if the folder contains an experiment.
bool is_experiment(const std::string& folder);

/// Collects the files for the pack of any result: a result.json, a program.json, or the folder of a run, a
/// program or an experiment. Throws Error.
Contents contents_of(const std::string& result, bool with_counters);

/// Writes a pack and returns its list of files. Throws Error if a file cannot be read, or changes while it is
/// read.
PackList write_pack(const std::string& path, Contents contents);

}  // namespace heddle::pack
