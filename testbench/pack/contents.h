#pragma once

// The contents of a pack: what `heddle pack` takes from a result.

#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/pack/archive.h"
#include "testbench/pack/pack_list.h"

namespace heddle::pack {

struct Contents {
  PackList list;  ///< without `files`, which write_pack() fills
  std::vector<Entry> entries;
};

/// Folders in a pack.
inline constexpr const char* kRunFolder = "run";                   ///< files that a run or a program wrote
inline constexpr const char* kInputFolder = "inputs";              ///< launch file, PTX and data
inline constexpr const char* kTableFolder = "configs/technology";  ///< technologies that come with Heddle
inline constexpr const char* kExperimentFolder = "experiment";     ///< files that an experiment wrote

/// Returns the contents of the pack of a result.json or program.json. Paths in the packed result lead to the
/// packed inputs. Throws Error for another file, and for a run that was ended early.
Contents run_contents(const std::string& result);

/// Returns the contents of the pack of an experiment's folder. `with_counters`: also the stored runs with all
/// counters. Throws Error for a folder without an experiment's tables.
Contents experiment_contents(const std::string& folder, bool with_counters);

/// Returns true for the folder of an experiment.
bool is_experiment(const std::string& folder);

/// Returns the contents of the pack of a result: a result.json, a program.json, or the folder of a run, a
/// program or an experiment. Throws Error.
Contents contents_of(const std::string& result, bool with_counters);

/// Writes a pack and returns its list. Throws Error if a file cannot be read, or changes meanwhile.
PackList write_pack(const std::string& path, Contents contents);

}  // namespace heddle::pack
