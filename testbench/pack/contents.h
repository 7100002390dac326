#pragma once

// The contents of a pack: the files of a result that `heddle pack` writes into the pack.

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

/// Collects the files of a result.json or program.json. Paths of input files are changed to paths inside the
/// pack. Throws Error if `result` is any other file, or if its run is incomplete.
Contents run_contents(const std::string& result);

/// Collects the files of an experiment's folder. `with_counters`: also collects the results of all runs of
/// the experiment. Throws Error for a folder that lacks the tables of an experiment.
Contents experiment_contents(const std::string& folder, bool with_counters);

/// If the path is a folder, returns the path of its result.json or program.json; otherwise returns the path
/// unchanged.
std::string result_file(const std::string& result);

bool is_experiment(const std::string& folder);

Contents contents_of(const std::string& result, bool with_counters);

/// Writes a pack and returns its list. Throws Error if a file cannot be read, or changes while it is read.
PackList write_pack(const std::string& path, Contents contents);

}  // namespace heddle::pack
