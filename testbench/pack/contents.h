#pragma once

// The contents of a pack: what `heddle pack` takes from a result.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/pack/archive.h"
#include "testbench/pack/pack_list.h"

namespace heddle::pack {

struct Contents {
  PackList list;
  std::vector<Entry> entries;
};

inline constexpr const char* kRunFolder = "run";
inline constexpr const char* kInputFolder = "inputs";
inline constexpr const char* kTableFolder = "configs/technology";
inline constexpr const char* kExperimentFolder = "experiment";

/// Collects the files of a result.json or program.json. Paths of inputs become paths in the pack. Throws
/// Error for another file, and for an incomplete run.
Contents run_contents(const std::string& result);

/// Collects the files of an experiment's folder. `with_counters`: includes the results of all runs. Throws
/// Error for a folder without an experiment's tables.
Contents experiment_contents(const std::string& folder, bool with_counters);

/// Returns the result.json or program.json of a folder; other paths are unchanged.
std::string result_file(const std::string& result);

bool is_experiment(const std::string& folder);

Contents contents_of(const std::string& result, bool with_counters);

/// Throws Error if a file cannot be read, or changes while it is read.
PackList write_pack(const std::string& path, Contents contents);

}  // namespace heddle::pack
